import { newId } from '@switchyard/db';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

type Verb = 'get' | 'post' | 'patch' | 'delete';

const ROUTES: [Verb, string, object | undefined, 'all' | 'board'][] = [
  ['get', '', undefined, 'all'],
  ['patch', '', { title: 'x' }, 'all'],
  ['post', '/pause', undefined, 'board'],
  ['post', '/resume', undefined, 'board'],
  ['post', '/terminate', undefined, 'board'],
  ['get', '/keys', undefined, 'board'],
  ['post', '/keys', {}, 'board'],
  ['delete', '/keys/KEY', undefined, 'board'],
  ['get', '/config-revisions', undefined, 'board'],
  ['post', '/config-revisions/REVISION/rollback', undefined, 'board'],
];

describe('agent routes', () => {
  const harness = useHarness();

  async function setUp() {
    const { api, build, db } = harness;
    const agent = await build.agent();
    const { body: key } = await api.post(`/api/agents/${agent.id}/keys`).send({}).expect(201);
    const revision = await db.agentConfigRevision.findFirstOrThrow({
      where: { agentId: agent.id },
    });
    const fill = (path: string) => path.replace('KEY', key.id).replace('REVISION', revision.id);
    return { agent, fill };
  }

  it.each(ROUTES)(
    '%s /api/agents/:agentId%s: returns 404 for an unknown and for a malformed id',
    async (method, path, body) => {
      const { fill } = await setUp();
      for (const id of [newId(), 'nothing', '%00', "'"]) {
        const { body: answer } = await harness.api[method](`/api/agents/${id}${fill(path)}`)
          .send(body)
          .expect(404);
        expect(answer).toMatchObject({ code: 'not_found', requestId: expect.any(String) });
      }
    },
  );

  it.each(ROUTES)(
    '%s /api/agents/:agentId%s: returns 403 for another company, and changes nothing',
    async (method, path, body) => {
      const { agent, fill } = await setUp();
      const stranger = await harness.build.liveRun();
      const before = await everything(harness);
      const { body: answer } = await harness.api[method](`/api/agents/${agent.id}${fill(path)}`)
        .set('Authorization', stranger.authorization)
        .send(body)
        .expect(403);
      expect(answer.code).toBe('cross_company');
      expect(await everything(harness)).toEqual(before);
    },
  );

  it.each(ROUTES)(
    '%s /api/agents/:agentId%s: allows another agent of the company to read, but not to write',
    async (method, path, body, access) => {
      const { agent, fill } = await setUp();
      const colleague = await harness.build.liveRun({ companyId: agent.companyId });
      const before = await everything(harness);
      const answer = await harness.api[method](`/api/agents/${agent.id}${fill(path)}`)
        .set('Authorization', colleague.authorization)
        .send(body);
      const expected = access === 'board' ? 'board_only' : method === 'get' ? undefined : 'not_own';
      expect({ status: answer.status, code: answer.body.code }).toEqual({
        status: expected ? 403 : 200,
        code: expected,
      });
      expect(await everything(harness)).toEqual(before);
    },
  );

  it.each(ROUTES.filter(([method]) => method !== 'get'))(
    '%s /api/agents/:agentId%s: returns 400 for an unknown key of the body, and the error names the key',
    async (method, path, body) => {
      const { agent, fill } = await setUp();
      const { body: answer } = await harness.api[method](`/api/agents/${agent.id}${fill(path)}`)
        .send({ ...body, typo: 1 })
        .expect(400);
      expect(answer.details).toEqual([
        { path: ['typo'], message: 'unknown field', code: 'unrecognized_keys' },
      ]);
    },
  );

  it.each(ROUTES.filter(([method]) => method !== 'get'))(
    '%s /api/agents/:agentId%s: returns 409 in an archived company, and changes nothing',
    async (method, path, body) => {
      const { agent, fill } = await setUp();
      await harness.api.post(`/api/companies/${agent.companyId}/archive`).expect(200);
      const before = await everything(harness);
      const { body: answer } = await harness.api[method](`/api/agents/${agent.id}${fill(path)}`)
        .send(body)
        .expect(409);
      expect(answer.code).toBe('company_archived');
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('return 404 for a key or revision of another agent of the company', async () => {
    const { agent, fill } = await setUp();
    const other = await harness.build.agent({ companyId: agent.companyId });
    await harness.api.delete(`/api/agents/${other.id}${fill('/keys/KEY')}`).expect(404);
    await harness.api
      .post(`/api/agents/${other.id}${fill('/config-revisions/REVISION/rollback')}`)
      .expect(404);
  });

  it('return 405 with an Allow header for an unsupported method', async () => {
    const { agent } = await setUp();
    const answer = await harness.api.delete(`/api/agents/${agent.id}`).expect(405);
    expect(answer.headers.allow).toMatch(/^GET, PATCH\b/);
  });
});
