import { createClient, RefusedError, type Schemas, unwrap } from '@switchyard/client';
import { clientTypes } from '@switchyard/testing';
import { useHarness } from './harness';
import { document } from './operations';

describe('the client package', () => {
  const harness = useHarness();

  it('contains the types generated from the OpenAPI document', async () => {
    const { built, fresh } = await clientTypes('orchestration', document());
    expect(fresh).toBe(built);
  });

  it('can create agents, and create, check out, comment on, complete and list issues', async () => {
    const baseUrl = harness.url;
    const board = createClient({ baseUrl });
    const company = await unwrap(board.POST('/api/companies', { body: { name: 'Acme' } }));
    const inCompany = { path: { companyId: company.id } };
    const ada = await unwrap(
      board.POST('/api/companies/{companyId}/agents', {
        params: inCompany,
        body: { name: 'Ada', adapterType: 'process', adapterConfig: { command: 'true' } },
      }),
    );
    const { key } = await unwrap(
      board.POST('/api/agents/{agentId}/keys', {
        params: { path: { agentId: ada.id } },
        body: {},
      }),
    );
    const create = (title: string, status: Schemas['Issue']['status']) =>
      unwrap(
        board.POST('/api/companies/{companyId}/issues', {
          params: inCompany,
          body: { title, status, assigneeAgentId: ada.id },
        }),
      );
    const issue = await create('Say hello', 'todo');
    await create('Wait', 'blocked');
    await create('Later', 'backlog');

    const agent = createClient({ baseUrl, token: key });
    const at = { path: { issueId: issue.identifier } };
    const body = { agentId: ada.id, expectedStatuses: ['todo' as const] };
    const claimed = await unwrap(
      agent.POST('/api/issues/{issueId}/checkout', { params: at, body }),
    );
    expect(claimed).toMatchObject({ id: issue.id, status: 'in_progress' });
    const said = await unwrap(
      agent.POST('/api/issues/{issueId}/comments', { params: at, body: { body: 'Hello' } }),
    );
    expect(said).toMatchObject({ authorAgentId: ada.id, mentions: [] });
    for (const status of ['in_review', 'done'] as const) {
      await unwrap(agent.PATCH('/api/issues/{issueId}', { params: at, body: { status } }));
    }

    const { data, response } = await agent.GET('/api/companies/{companyId}/issues', {
      params: { ...inCompany, query: { status: ['done', 'blocked'], limit: 1 } },
    });
    expect(data).toHaveLength(1);
    expect(response.headers.get('x-limit')).toBe('1');
    const cursor = response.headers.get('x-next-cursor') ?? '';
    const rest = await unwrap(
      agent.GET('/api/companies/{companyId}/issues', {
        params: { ...inCompany, query: { status: ['done', 'blocked'], cursor } },
      }),
    );
    expect([...(data ?? []), ...rest].map(({ title }) => title).sort()).toEqual([
      'Say hello',
      'Wait',
    ]);
  });

  it('throws the API’s refusal with its code and its fields', async () => {
    const agent = createClient({ baseUrl: harness.url, token: 'nonsense' });
    const asked = () => agent.GET('/api/agents/me', {});
    const { error, response } = await asked();
    expect(response.status).toBe(401);
    expect(error).toMatchObject({ code: 'unauthenticated' });
    const caught = await unwrap(asked()).catch((thrown: unknown) => thrown);
    expect(caught).toBeInstanceOf(RefusedError);
    expect(caught).toMatchObject({ status: 401, code: 'unauthenticated', name: 'RefusedError' });
  });
});
