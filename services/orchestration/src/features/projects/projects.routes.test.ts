import { newId } from '@switchyard/db';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

type Route = [verb: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object];

const ROUTES: Route[] = [
  ['get', '/api/companies/COMPANY/projects'],
  [
    'post',
    '/api/companies/COMPANY/projects',
    { name: 'x', workspace: { repoUrl: 'https://example.com/x.git' } },
  ],
  ['get', '/api/projects/PROJECT'],
  ['patch', '/api/projects/PROJECT', { name: 'x' }],
  ['get', '/api/projects/PROJECT/workspaces'],
  ['post', '/api/projects/PROJECT/workspaces', { repoUrl: 'https://example.com/x.git' }],
  ['patch', '/api/projects/PROJECT/workspaces/WORKSPACE', { name: 'x' }],
  ['delete', '/api/projects/PROJECT/workspaces/WORKSPACE'],
];

const STATUS = { get: 200, post: 201, patch: 200, delete: 204 };

describe('project and workspace routes', () => {
  const harness = useHarness();

  const ask = ([verb, path, body]: Route, company: string, project: string, workspace: string) => {
    const filled = path
      .replace('COMPANY', company)
      .replace('PROJECT', project)
      .replace('WORKSPACE', workspace);
    return harness.api[verb](filled).send(body);
  };
  const setUp = async (companyId?: string) => {
    const project = await harness.build.project({ companyId, workspace: { cwd: '/srv/ship' } });
    return [project.companyId, project.id, project.workspaces[0]?.id as string] as const;
  };

  it.each(ROUTES)('%s %s: returns 404 for unknown and malformed ids', async (...route) => {
    const [company, project] = await setUp();
    const before = await everything(harness);
    for (const id of [newId(), 'nothing', '%00', "'"]) {
      expect((await ask(route, id, id, id).expect(404)).body.code).toBe('not_found');
      if (route[1].includes('WORKSPACE')) await ask(route, company, project, id).expect(404);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it.each(ROUTES)(
    '%s %s: returns 403 for another company, and changes nothing',
    async (...route) => {
      const ids = await setUp();
      const { authorization } = await harness.build.liveRun();
      const before = await everything(harness);
      const { body } = await ask(route, ...ids)
        .set('Authorization', authorization)
        .expect(403);
      expect(body.code).toBe('cross_company');
      expect(await everything(harness)).toEqual(before);
    },
  );

  it.each(ROUTES)(
    '%s %s: succeeds for an agent of the company and for the board',
    async (...route) => {
      const { agent, authorization } = await harness.build.liveRun();
      const key = await harness.build.apiKey(agent.id);
      await ask(route, ...(await setUp())).expect(STATUS[route[0]]);
      for (const credential of [authorization, key]) {
        const asked = ask(route, ...(await setUp(agent.companyId)));
        await asked.set('Authorization', credential).expect(STATUS[route[0]]);
      }
    },
  );

  it.each(ROUTES)(
    '%s %s: allows reads and rejects writes in an archived company',
    async (...route) => {
      const ids = await setUp();
      await harness.api.post(`/api/companies/${ids[0]}/archive`).expect(200);
      const before = await everything(harness);
      const answer = await ask(route, ...ids);
      expect(answer.status).toBe(route[0] === 'get' ? 200 : 409);
      if (route[0] !== 'get') expect(answer.body.code).toBe('company_archived');
      expect(await everything(harness)).toEqual(before);
    },
  );

  it.each(ROUTES.filter(([verb]) => verb !== 'get'))(
    '%s %s: returns 400 for an unknown key of the body, and the error names the key',
    async (...[verb, path, body]) => {
      const { details } = (
        await ask([verb, path, { ...body, typo: 1 }], ...(await setUp())).expect(400)
      ).body;
      expect(details).toEqual([
        { path: ['typo'], message: 'unknown field', code: 'unrecognized_keys' },
      ]);
    },
  );

  it.each(['patch', 'delete'] as const)(
    '%s: returns 404 for a workspace of another project in this or another company',
    async (verb) => {
      const [company, project] = await setUp();
      const [, , sibling] = await setUp(company);
      const [, , foreign] = await setUp();
      const before = await everything(harness);
      for (const workspace of [sibling, foreign]) {
        const path = `/api/projects/${project}/workspaces/${workspace}`;
        await harness.api[verb](path).send({}).expect(404);
      }
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('return the first response when a create request is repeated with its idempotency key', async () => {
    const [, project] = await setUp();
    const path = `/api/projects/${project}/workspaces`;
    const send = () =>
      harness.api.post(path).set('Idempotency-Key', 'k').send({ cwd: '/srv/again' }).expect(201);
    expect((await send()).body).toEqual((await send()).body);
    expect((await harness.api.get(path)).body).toHaveLength(2);
  });

  it('return 405 with an Allow header for an unsupported method', async () => {
    const [, project, workspace] = await setUp();
    const path = `/api/projects/${project}`;
    expect((await harness.api.delete(path).expect(405)).headers.allow).toMatch(/^GET, PATCH/);
    const one = await harness.api.get(`${path}/workspaces/${workspace}`).expect(405);
    expect(one.headers.allow).toBe('PATCH, DELETE');
  });
});
