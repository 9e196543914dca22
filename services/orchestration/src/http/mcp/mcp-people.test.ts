import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { mcpClient, useTool } from '../../../test/mcp-client';

describe('POST /mcp in authenticated mode', () => {
  const harness = useAuthenticatedHarness();

  async function tokenOf(scope: 'read' | 'write', role: 'operator' | 'viewer' = 'operator') {
    const company = await harness.build.company();
    const person = await harness.operator(company.id, role);
    const sent = { name: 'assistant', scope, expiresInDays: 1 };
    const made = await harness.as(person).post('/api/auth/tokens').send(sent).expect(201);
    return { company, person, authorization: `Bearer ${made.body.token}` };
  }

  async function toolsOf(authorization: string) {
    const client = await mcpClient(harness.url, authorization, '2025-11-25');
    const { tools } = await client.listTools();
    return { client, names: tools.map(({ name }) => name) };
  }

  it('offers only read tools to a personal token with the scope `read`', async () => {
    const { authorization } = await tokenOf('read');
    const { client, names } = await toolsOf(authorization);
    expect(names).toEqual(['needs_me', 'runs', 'find']);
    expect((await useTool(client, 'needs_me')).isRefused).toBe(false);
    const refused = await useTool(client, 'create', { title: 'No' });
    expect(refused).toMatchObject({ isRefused: true, text: expect.stringMatching(/^not_found: /) });
    await client.close();
  });

  it('lets a personal token with the scope `write` do no more than its owner’s role allows', async () => {
    const { authorization } = await tokenOf('write');
    const { client, names } = await toolsOf(authorization);
    expect(names).toHaveLength(9);
    expect((await useTool(client, 'create', { title: 'Yes' })).isRefused).toBe(false);
    await client.close();
    const viewer = await toolsOf((await tokenOf('write', 'viewer')).authorization);
    const refused = await useTool(viewer.client, 'create', { title: 'No' });
    expect(refused).toMatchObject({ isRefused: true, text: expect.stringMatching(/^forbidden: /) });
    await viewer.client.close();
  });

  it('rejects a session cookie, and an unknown Host', async () => {
    const { person, authorization } = await tokenOf('write');
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    await harness.as(person).post('/mcp').send(message).expect(401);
    const foreign = harness.api.post('/mcp').set('Authorization', authorization);
    await foreign.set('Host', 'evil.example').send(message).expect(403);
  });
});
