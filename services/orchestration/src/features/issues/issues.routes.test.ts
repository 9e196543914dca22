import { newId } from '@switchyard/db';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

type Verb = 'get' | 'post' | 'patch';

const ROUTES: [Verb, string, object | undefined][] = [
  ['get', '', undefined],
  ['patch', '', { title: 'x' }],
  ['post', '/checkout', { agentId: newId(), expectedStatuses: ['todo'] }],
  ['post', '/release', undefined],
  ['get', '/comments', undefined],
  ['post', '/comments', { body: 'x' }],
];

describe('issue routes', () => {
  const harness = useHarness();

  it.each(ROUTES)(
    '%s /api/issues/:issueId%s: returns 404 for an unknown and for a malformed id',
    async (method, path, body) => {
      for (const id of [newId(), 'nothing', '%00', "'", 'ZZZZ-1']) {
        const answer = await harness.api[method](`/api/issues/${id}${path}`).send(body).expect(404);
        expect(answer.body.code).toBe('not_found');
      }
    },
  );

  it.each(ROUTES)(
    '%s /api/issues/:issueId%s: returns 403 for another company, and changes nothing',
    async (method, path, body) => {
      const issue = await harness.build.issue({ status: 'todo' });
      const stranger = await harness.build.liveRun();
      const own = method === 'post' && path === '/checkout' ? { agentId: stranger.agent.id } : {};
      const before = await everything(harness);
      const answer = await harness.api[method](`/api/issues/${issue.id}${path}`)
        .set('Authorization', stranger.authorization)
        .send(body && { ...body, ...own })
        .expect(403);
      expect(answer.body.code).toBe('cross_company');
      expect(await everything(harness)).toEqual(before);
    },
  );

  it.each(ROUTES.filter(([method]) => method !== 'get'))(
    '%s /api/issues/:issueId%s: returns 400 for an unknown key of the body, and the error names the key',
    async (method, path, body) => {
      const issue = await harness.build.issue();
      const answer = await harness.api[method](`/api/issues/${issue.id}${path}`)
        .send({ ...body, typo: 1 })
        .expect(400);
      expect(answer.body.details).toMatchObject([{ path: ['typo'], code: 'unrecognized_keys' }]);
    },
  );

  it.each(['issues', 'agents'])(
    '/api/companies/:companyId/%s: returns 404 for an unknown or malformed company, 403 for another company',
    async (list) => {
      const { authorization } = await harness.build.liveRun();
      const company = await harness.build.company();
      const before = await everything(harness);
      for (const method of ['get', 'post'] as const) {
        await harness.api[method](`/api/companies/${newId()}/${list}`).expect(404);
        await harness.api[method](`/api/companies/x/${list}`).expect(404);
        const foreign = harness.api[method](`/api/companies/${company.id}/${list}`);
        const { body } = await foreign.set('Authorization', authorization).expect(403);
        expect(body.code).toBe('cross_company');
      }
      expect(await everything(harness)).toEqual(before);
    },
  );

  it('shorten the response to a successful write with Prefer: return=minimal', async () => {
    const { id: companyId } = await harness.build.company();
    const create = () =>
      harness.api
        .post(`/api/companies/${companyId}/issues`)
        .set('Prefer', 'return=minimal')
        .set('Idempotency-Key', 'short')
        .send({ title: 'x', description: 'y'.repeat(1_000) });
    const { body: made, headers } = await create().expect(201);
    expect(headers['preference-applied']).toBe('return=minimal');
    const { id, identifier } = made;
    expect(made).toEqual({ id, identifier, companyId, status: 'backlog', revision: 1 });
    expect((await create().expect(201)).body).toEqual(made);
    const path = `/api/issues/${id}`;
    const read = await harness.api.get(path).set('Prefer', 'return=minimal').expect(200);
    expect(read.body.title).toBe('x');
    expect(read.headers).not.toHaveProperty('preference-applied');
    const refused = await harness.api
      .patch(path)
      .set('Prefer', 'return=minimal')
      .send({ status: 'done' })
      .expect(422);
    expect(refused.body.code).toBe('invalid_transition');
  });
});
