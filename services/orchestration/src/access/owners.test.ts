import { useHarness } from '../../test/harness';
import { createKnownOwners } from './owners';

it('the cache of owning companies drops its oldest entry when it is full', () => {
  const known = createKnownOwners(2);
  known.add('a', 'one');
  known.add('b', 'two');
  known.add('a', 'one');
  known.add('c', 'three');
  expect(['a', 'b', 'c'].map(known.companyOf)).toEqual([undefined, 'two', 'three']);
});

describe('a route with a cached company', () => {
  const harness = useHarness();

  const statementsOf = async (request: () => Promise<unknown>): Promise<number> => {
    const query = jest.spyOn(harness.context.db.pool, 'query');
    await request();
    const count = query.mock.calls.length;
    query.mockRestore();
    return count;
  };

  it('executes one SQL statement for a new row or a hot read, and two for a change or another read by the local board', async () => {
    const { api, build } = harness;
    const issue = await build.issue();
    const get = () => api.get(`/api/issues/${issue.id}`).expect(200);
    const comment = () =>
      api.post(`/api/issues/${issue.id}/comments`).send({ body: 'x', wake: false }).expect(201);
    const create = () =>
      api.post(`/api/companies/${issue.companyId}/issues`).send({ title: 'x' }).expect(201);
    const agent = await build.agent({ companyId: issue.companyId });
    const hot = [`/api/agents/${agent.id}`, `/api/companies/${issue.companyId}/dashboard`];
    const reads = hot.map((path) => () => api.get(path).expect(200));
    for (const request of [get, ...reads]) await request();
    for (const request of [comment, create, get, ...reads]) {
      expect(await statementsOf(request)).toBe(1);
    }
    const rename = () => api.patch(`/api/issues/${issue.id}`).send({ title: 'y' }).expect(200);
    expect(await statementsOf(rename)).toBe(2);
    const comments = () => api.get(`/api/issues/${issue.id}/comments`).expect(200);
    expect(await statementsOf(comments)).toBe(2);
    const authorization = await build.apiKey(agent.id);
    const read = (path: string) => () =>
      api.get(path).set('Authorization', authorization).expect(200);
    const authentication = (await statementsOf(read('/api/adapters'))) - 1;
    for (const id of [issue.id, issue.id.toUpperCase()]) {
      expect(await statementsOf(read(`/api/issues/${id}`))).toBe(authentication + 1);
    }
  });

  it('still returns 403 to agents of another company', async () => {
    const { api, build } = harness;
    const issue = await build.issue();
    const { authorization } = await build.liveRun();
    await api.get(`/api/issues/${issue.id}`).expect(200);
    for (const path of [`/api/issues/${issue.id}`, `/api/companies/${issue.companyId}/issues`]) {
      const { body } = await api.get(path).set('Authorization', authorization).expect(403);
      expect(body.code).toBe('cross_company');
    }
  });

  it('returns 409 for a write to an archived company before any other check', async () => {
    const { api, build } = harness;
    const issue = await build.issue();
    const { companyId } = issue;
    await api.get(`/api/issues/${issue.id}`).expect(200);
    await api.post(`/api/issues/${issue.id}/comments`).send({ body: 'x' }).expect(201);
    await api.post(`/api/companies/${companyId}/archive`).expect(200);
    const issues = `/api/companies/${companyId}/issues`;
    const { id: foreignId } = await build.goal({ companyId: (await build.company()).id });
    for (const [path, body] of [
      [`/api/issues/${issue.id}/comments`, { body: 'x' }],
      [issues, { title: 'x' }],
      [issues, { title: 'x', labels: ['x'] }],
      [issues, { title: 'x', status: 'in_progress' }],
      [issues, { title: 'x', goalId: foreignId }],
      [issues, { title: 'x', blockedBy: [foreignId] }],
    ] as const) {
      for (const headers of [{}, { 'Idempotency-Key': 'k' }]) {
        const refused = await api.post(path).set(headers).send(body).expect(409);
        expect(refused.body.code).toBe('company_archived');
      }
    }
    await api.post(issues).send({ title: 7 }).expect(400);
    expect(await harness.db.issue.count({ where: { companyId } })).toBe(1);
    expect(await harness.db.issueComment.count({ where: { companyId } })).toBe(1);
  });
});
