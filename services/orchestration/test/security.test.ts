import { newId } from '@switchyard/db';
import type { ErrorCode } from '@switchyard/types';
import { assertScoped, SCOPED_PARAMETERS } from '../src/access/owners';
import { isOpen } from '../src/access/rules';
import { foldSearchChanges } from '../src/features/search/fold-search-changes';
import { allRoutes } from '../src/http/routes';
import type { OrchestrationRoute } from '../src/route';
import { openAsker, type Question, type Reply } from './ask';
import { buildCallers, type Caller } from './callers';
import { everything } from './everything';
import { useHarness } from './harness';
import { multipart } from './multipart';
import { type RouteRow, SECURITY_TABLE } from './security-table';
import { buildSide, fill, type Ids, parametersOf, type Side } from './world';

type Place = 'own' | 'foreign' | 'mixed' | 'random' | 'malformed';
type Refused = [status: number, code: ErrorCode];

const ELSEWHERE: Refused = [403, 'cross_company'];
const NOWHERE: Refused = [404, 'not_found'];

const idsIn = (path: string) =>
  parametersOf(path).filter((name) => name.endsWith('Id') && SCOPED_PARAMETERS.includes(name));

/**
 * Returns the possible errors of one call in the contract's order: 401, 404, 403. Empty if the call
 * is admitted.
 */
function refusals(row: RouteRow, path: string, caller: Caller, place: Place): Refused[] {
  if (row.access === 'runner') return [[401, 'unauthenticated']];
  if (isOpen(row.access)) return [];
  if (caller.as === null) return [[401, caller.refusal as ErrorCode]];
  const isAgent = caller.as !== 'board';
  const hasIds = idsIn(path).length > 0;
  if (place !== 'own' && place !== 'foreign') {
    // If a path has several ids, only the last one is wrong. A stranger fails at an earlier id.
    const first = caller.as === 'stranger' && idsIn(path).length > 1 ? ELSEWHERE : NOWHERE;
    return place === 'mixed' && isAgent ? [first, ELSEWHERE] : [first];
  }
  if (isAgent && hasIds && (caller.as === 'stranger') !== (place === 'foreign')) return [ELSEWHERE];
  if ((row.access === 'board' || row.access === 'owner') && isAgent) return [[403, 'board_only']];
  if (row.access === 'agent' && !isAgent) return [[403, 'forbidden']];
  if (row.ownOnly && caller.as === 'colleague') return [[403, 'not_own']];
  return [];
}

function acceptable(row: RouteRow, ids: Ids): Pick<Question, 'body' | 'headers'> {
  return row.file ? multipart(row.file) : { body: row.body?.(ids) };
}

describe('every route', () => {
  const harness = useHarness();
  let routes = new Map<string, OrchestrationRoute>();
  let own: Side;
  let foreign: Side;
  let callers: Caller[];
  let asker: ReturnType<typeof openAsker>;

  beforeAll(async () => {
    own = await buildSide(harness);
    foreign = await buildSide(harness);
    callers = await buildCallers(harness, own, foreign);
    await foldSearchChanges(harness.context);
    asker = openAsker(harness.url);
    routes = new Map(allRoutes.map((route) => [`${route.method} ${route.path}`, route]));
  });
  afterAll(() => asker.close());

  const places = (path: string): [Place, Ids][] => {
    const parameters = idsIn(path);
    const last = parameters.at(-1);
    const all: [Place, Ids][] = [['own', own.ids]];
    if (!last) return all;
    all.push(['foreign', foreign.ids]);
    all.push(['random', { ...own.ids, [last]: newId() }]);
    all.push(['malformed', { ...own.ids, [last]: "x' OR '1'='1" }]);
    if (parameters.length > 1) all.push(['mixed', { ...own.ids, [last]: foreign.ids[last] ?? '' }]);
    return all;
  };

  const call = async (
    route: OrchestrationRoute,
    row: RouteRow,
    caller: Caller,
    at: [Place, Ids],
  ) => {
    const [place, ids] = at;
    const { method } = route;
    const fitting = refusals(row, route.path, caller, place);
    const headers: Record<string, string> = {};
    if (caller.authorization) headers.authorization = caller.authorization;
    const path = fill(route.path, ids);
    const sent = fitting.length > 0 ? acceptable(row, ids) : { body: { 'no such field': true } };
    const question: Question =
      method === 'GET'
        ? { method, path, headers }
        : { method, path, ...sent, headers: { ...sent.headers, ...headers } };
    return { what: `${caller.name}, ${place} id`, fitting, reply: await asker.ask(question) };
  };

  const verdict = (
    method: string,
    access: string,
    fitting: Refused[],
    reply: Reply,
    usual = 200,
  ) => {
    const { status, body } = reply;
    const code = (body as { code?: string }).code ?? null;
    if (fitting.length > 0) {
      return (
        fitting.some((one) => one[0] === status && one[1] === code) || { status, code, fitting }
      );
    }
    // No credential check precedes a public route, so its handler may respond with 400, 401 or 404.
    const admitted = method === 'GET' ? [usual] : isOpen(access) ? [400, 401, 404] : [400, 415];
    return admitted.includes(status) || { status, code, admitted };
  };

  it('has one row in SECURITY_TABLE, with the access that the route declares', () => {
    const declared = Object.fromEntries([...routes].map(([name, route]) => [name, route.access]));
    const rows = Object.entries(SECURITY_TABLE).map(([name, row]) => [name, row.access]);
    expect(Object.fromEntries(rows)).toEqual(declared);
  });

  it.each(Object.entries(SECURITY_TABLE))(
    'returns the expected status to every caller for every kind of id: %s',
    async (name, row) => {
      const route = routes.get(name);
      if (!route) throw new Error(`${name} is not mounted`);
      const before = await everything(harness, ['last_used_at']);
      const calls = callers.flatMap((caller) =>
        places(route.path).map((place) => call(route, row, caller, place)),
      );
      for (const { what, fitting, reply } of await Promise.all(calls)) {
        expect({
          what,
          verdict: verdict(route.method, row.access, fitting, reply, row.status),
        }).toEqual({
          what,
          verdict: true,
        });
      }
      expect(await everything(harness, ['last_used_at'])).toEqual(before);
    },
  );

  const naming = Object.entries(SECURITY_TABLE).filter(([, row]) => {
    const [one, other] = ['1', '2'].map((id) => new Proxy({} as Ids, { get: () => id }));
    return JSON.stringify(row.body?.(one as Ids)) !== JSON.stringify(row.body?.(other as Ids));
  });

  it.each(naming)('refuses ids of another company in the body: %s', async (name, row) => {
    const route = routes.get(name) as OrchestrationRoute;
    const key = callers.find((caller) => caller.as === 'agent')?.authorization;
    const before = await everything(harness, ['last_used_at']);
    for (const authorization of row.access === 'agent-or-board' ? [undefined, key] : [undefined]) {
      const { status, body } = await asker.ask({
        method: route.method,
        path: fill(route.path, own.ids),
        headers: { authorization },
        body: row.body?.(foreign.ids),
      });
      const { code } = body as { code: ErrorCode };
      expect([403, row.foreignIds]).toContain(status);
      if (status === 403) expect(['cross_company', 'not_own', 'forbidden']).toContain(code);
    }
    expect(await everything(harness, ['last_used_at'])).toEqual(before);
  });

  it('must have an access rule for each parameter, or the route cannot be mounted', () => {
    expect(() => assertScoped('/api/things/:thingId')).toThrow(':thingId has no rule');
    expect(() => assertScoped('/api/companies/:companyId')).not.toThrow();
  });

  it('fails the check if it accepts a forbidden call or refuses an allowed call', () => {
    const good = { status: 200, headers: {}, body: {} };
    expect(verdict('GET', 'board', [[403, 'board_only']], good)).not.toBe(true);
    expect(verdict('POST', 'board', [], good)).not.toBe(true);
    const refused = { status: 403, headers: {}, body: { code: 'cross_company' } };
    expect(verdict('GET', 'board', [], refused)).not.toBe(true);
    expect(verdict('GET', 'board', [[403, 'board_only']], refused)).not.toBe(true);
  });
});
