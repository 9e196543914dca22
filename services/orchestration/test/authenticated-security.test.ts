import { newId } from '@switchyard/db';
import type { Role, TokenScope } from '@switchyard/types';
import { SCOPED_PARAMETERS } from '../src/access/owners';
import { isOpen } from '../src/access/rules';
import { foldSearchChanges } from '../src/features/search/fold-search-changes';
import { allRoutes } from '../src/http/routes';
import type { OrchestrationRoute } from '../src/route';
import { openAsker, type Question } from './ask';
import { useAuthenticatedHarness } from './authenticated-harness';
import { everything } from './everything';
import { multipart } from './multipart';
import { type RouteRow, SECURITY_TABLE } from './security-table';
import { buildSide, fill, type Ids, parametersOf, type Side } from './world';

interface Caller {
  name: string;
  /**
   * Role in the company whose ids the call contains; null for a non-member, undefined without a
   * credential.
   */
  role: Role | null | undefined;
  cookie?: string;
  token?: { value: string; scope: TokenScope };
}

type Place = 'own' | 'foreign' | 'random';

const idsIn = (path: string) =>
  parametersOf(path).filter((name) => name.endsWith('Id') && SCOPED_PARAMETERS.includes(name));

function refusalOf(row: RouteRow, name: string, caller: Caller, place: Place): string | null {
  const [method, path] = name.split(' ') as [string, string];
  if (row.access === 'runner') return '401 unauthenticated';
  if (isOpen(row.access)) return null;
  if (caller.role === undefined) return '401 unauthenticated';
  const parameters = idsIn(path);
  if (parameters.length > 0) {
    const isMember = place === 'foreign' ? caller.role === null : caller.role !== null;
    const firstIsRandom = place === 'random' && parameters.length === 1;
    if (firstIsRandom) return '404 not_found';
    if (!isMember) return '403 cross_company';
    if (place === 'random') return '404 not_found';
  }
  if (row.access === 'agent') return '403 forbidden';
  if (caller.token && row.browserOnly) return '403 forbidden';
  if (caller.token?.scope === 'read' && method !== 'GET') return '403 forbidden';
  const role = caller.role ?? 'operator';
  if (row.administratorsOnly) return '403 administrators_only';
  const reads = method === 'GET' && !row.ownersRead;
  if (reads || parameters.length === 0 || role === 'owner') return null;
  return role === 'viewer' || row.access === 'owner' ? '403 forbidden' : null;
}

describe('the API in authenticated mode', () => {
  type Body = { scope: TokenScope; companyId?: string };
  const harness = useAuthenticatedHarness();
  let routes = new Map<string, OrchestrationRoute>();
  let sides: Record<'own' | 'foreign', Side>;
  let callers: Caller[];
  let asker: ReturnType<typeof openAsker>;

  beforeAll(async () => {
    const building = { ...harness, api: harness.founding };
    sides = { own: await buildSide(building), foreign: await buildSide(building) };
    const { companyId } = sides.own.ids;
    const member = async (name: string, role: Role): Promise<Caller> => {
      const { cookie } = await harness.operator(companyId, role);
      return { name, role, cookie };
    };
    const program = async (name: string, role: Role, body: Body) => {
      const someone = await harness.operator(companyId, role);
      await harness.join(someone, sides.foreign.ids.companyId, 'operator');
      const made = await harness
        .as(someone)
        .post('/api/auth/tokens')
        .send({ name, ...body })
        .expect(201);
      if (!('companyId' in body)) {
        await harness.db.membership.deleteMany({
          where: { userId: someone.id, companyId: sides.foreign.ids.companyId },
        });
      }
      const token = { value: made.body.token as string, scope: body.scope };
      const authorization = `Bearer ${token.value}`;
      await harness.api.get('/api/auth/session').set('Authorization', authorization).expect(200);
      return { name, role, token };
    };
    const forged = { value: `syp_${'x'.repeat(43)}`, scope: 'write' as const };
    const outsider = await harness.operator(sides.foreign.ids.companyId, 'operator');
    callers = [
      { name: 'no credential', role: undefined },
      { name: 'a forged cookie', role: undefined, cookie: '__Host-service.sid=s%3Ax.y' },
      { name: 'no member', role: null, cookie: outsider.cookie },
      await member('a viewer', 'viewer'),
      await member('an operator', 'operator'),
      await member('an owner', 'owner'),
      await program("a viewer's token", 'viewer', { scope: 'write' }),
      await program("an operator's token", 'operator', { scope: 'write', companyId }),
      await program("an owner's token for reading", 'owner', { scope: 'read' }),
      await program("an owner's token", 'owner', { scope: 'write' }),
      {
        ...(await program("an owner's token for another company", 'owner', {
          scope: 'write',
          companyId: sides.foreign.ids.companyId,
        })),
        role: null,
      },
      { name: 'a forged token', role: undefined, token: forged },
    ];
    // Indexes earlier changes now, because a search during the test would do so and write rows.
    await foldSearchChanges(harness.context);
    asker = openAsker(harness.url);
    routes = new Map(allRoutes.map((route) => [`${route.method} ${route.path}`, route]));
  });
  afterAll(() => asker.close());

  const places = (path: string): [Place, Ids][] => {
    const last = idsIn(path).at(-1);
    if (!last) return [['own', sides.own.ids]];
    return [
      ['own', sides.own.ids],
      ['foreign', sides.foreign.ids],
      ['random', { ...sides.own.ids, [last]: newId() }],
    ];
  };

  const ask = async (name: string, row: RouteRow, caller: Caller, [place, ids]: [Place, Ids]) => {
    const { method, path } = routes.get(name) as OrchestrationRoute;
    const refusal = refusalOf(row, name, caller, place);
    const acceptable = row.file ? multipart(row.file) : { body: row.body?.(ids) };
    const sent = refusal === null ? { body: { 'no such field': true } } : acceptable;
    const headers = {
      ...(sent as Question).headers,
      ...(caller.cookie && { cookie: caller.cookie }),
      ...(caller.token && { authorization: `Bearer ${caller.token.value}` }),
    };
    const question = { method, path: fill(path, ids), ...(method !== 'GET' && sent), headers };
    const { status, body } = await asker.ask(question);
    const answered = `${status} ${(body as { code?: string }).code}`;
    const isAdmitted = method === 'GET' ? status === 200 : [400, 401, 404, 415].includes(status);
    const what = `${caller.name}, ${place} id`;
    if (refusal !== null) return { what, answered, expected: refusal };
    const admitted = isOpen(row.access) ? isAdmitted : [200, 400, 415].includes(status);
    return { what, answered: admitted ? 'admitted' : answered, expected: 'admitted' };
  };

  it.each(Object.entries(SECURITY_TABLE))(
    'returns the expected status to every caller of %s',
    async (name, row) => {
      const path = routes.get(name)?.path as string;
      const before = await everything(harness);
      const asked = callers.flatMap((caller) =>
        places(path).map((at) => ask(name, row, caller, at)),
      );
      for (const { what, answered, expected } of await Promise.all(asked)) {
        expect({ what, answered }).toEqual({ what, answered: expected });
      }
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('returns only the caller’s companies, and allows only administrators to create a company', async () => {
    const own = sides.own.ids.companyId;
    const administrator = await harness.administrator();
    await harness.join(administrator, own, 'viewer');
    const founder = { ...administrator, name: 'an administrator', role: 'viewer' as const };
    const outsiders = callers.filter((caller) => caller.cookie && caller.role !== undefined);
    for (const { name, cookie, role } of [...outsiders, founder]) {
      const board = harness.as({ cookie: cookie as string });
      const ids = async () =>
        (await board.get('/api/companies').expect(200)).body.map((row: { id: string }) => row.id);
      const home = role === null ? sides.foreign : sides.own;
      expect({ name, ids: await ids() }).toEqual({ name, ids: [home.ids.companyId] });
      const founding = await board.post('/api/companies').send({ name: 'Mine' });
      if (name !== founder.name) {
        expect(founding.status).toBe(403);
        expect(founding.body).toMatchObject({ code: 'administrators_only' });
        expect(founding.body.error).toContain('COMPANY_FOUNDERS');
        continue;
      }
      expect(founding.status).toBe(201);
      expect(await ids()).toEqual([founding.body.id, home.ids.companyId]);
      await board.patch(`/api/companies/${founding.body.id}`).send({ name: 'Ours' }).expect(200);
    }
  });

  it('accepts only runs of the caller’s companies in X-Service-Run-Id', async () => {
    const owner = callers.find(({ name }) => name === 'an owner') as Caller;
    const found = (runId: string) =>
      harness
        .as({ cookie: owner.cookie as string })
        .post('/api/companies')
        .set('X-Service-Run-Id', runId)
        .send({ name: 'x', 'no such field': true });
    await found(sides.own.ids.runId).expect(400);
    await found(sides.foreign.ids.runId).expect(403);
  });

  it('returns 403 cross_company for the id of an inaccessible company in a body', async () => {
    const owner = callers.find(({ name }) => name === 'an owner') as Caller;
    const board = harness.as({ cookie: owner.cookie as string });
    const refused = await board
      .post(`/api/companies/${sides.own.ids.companyId}/issues`)
      .send({ title: 'x', projectId: sides.foreign.ids.projectId })
      .expect(403);
    expect(refused.body).toMatchObject({ code: 'cross_company', details: { field: 'projectId' } });
  });

  it('grants agents the same rights as in local mode', async () => {
    const { agent, ids } = sides.own;
    const authorization = await harness.build.apiKey(agent.id);
    const as = (method: string, path: string) =>
      asker.ask({ method, path, headers: { authorization } });
    expect((await as('GET', '/api/agents/me')).status).toBe(200);
    expect((await as('GET', `/api/companies/${ids.companyId}/issues`)).status).toBe(200);
    const members = `/api/companies/${ids.companyId}/members`;
    expect((await as('GET', members)).body).toMatchObject({ code: 'board_only' });
    expect((await as('GET', '/api/auth/sessions')).body).toMatchObject({ code: 'board_only' });
    expect((await as('GET', '/api/auth/session')).body).toMatchObject({
      mode: 'authenticated',
      credential: 'api_key',
      user: null,
      agent: { id: agent.id, companyId: ids.companyId, runId: null },
      memberships: [],
    });
    const run = await harness.build.liveRun(agent);
    const { status } = await asker.ask({
      method: 'GET',
      path: '/api/agents/me',
      headers: { authorization: run.authorization },
    });
    expect(status).toBe(200);
  });
});
