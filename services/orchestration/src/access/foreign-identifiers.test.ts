import { useHarness } from '../../test/harness';

describe('requests for an issue of another company', () => {
  const harness = useHarness();

  it('return 404 for the issue’s identifier, as for an unknown identifier, and 403 for the issue’s id', async () => {
    const issue = await harness.build.issue();
    const { authorization, agent } = await harness.build.liveRun();
    const [prefix] = issue.identifier.split('-');
    const own = `/api/companies/${agent.companyId}/issues`;
    const ask = async (method: 'get' | 'patch' | 'post', path: string) => {
      const answer = await harness.api[method](path).set('Authorization', authorization);
      const { requestId, ...body } = answer.body;
      expect(requestId).toBeTruthy();
      return { status: answer.status, body };
    };
    const paths = (name: string) =>
      [
        ['get', `/api/issues/${name}`],
        ['patch', `/api/issues/${name}`],
        ['post', `/api/issues/${name}/comments`],
        ['get', `/api/issues/${name.toLowerCase()}/documents`],
        ['post', `${own}/${name}/attachments`],
      ] as const;
    const unknown = paths(`${prefix}-999`);
    for (const [at, [method, path]] of paths(issue.identifier).entries()) {
      const answer = await ask(method, path);
      expect(answer.status).toBe(404);
      expect(answer).toEqual(await ask(method, unknown[at]?.[1] as string));
    }
    expect((await ask('get', `/api/issues/${issue.id}`)).body.code).toBe('cross_company');
    await harness.api.get(`/api/issues/${issue.identifier}`).expect(200);
  });
});
