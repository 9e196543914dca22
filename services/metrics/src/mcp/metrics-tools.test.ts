import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Harness, startHarness } from '../../test/harness';
import { METRICS_TOOLS } from './metrics-tools';

describe('POST /mcp of the metrics service', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
    await harness.http.post('/metrics/collect').send({}).expect(200);
  });
  afterAll(() => harness.close());

  async function connected(pin: string | null) {
    const client = new Client(
      { name: 'tests', version: '1' },
      pin === null ? {} : { versionNegotiation: { mode: { pin } } },
    );
    const url = new URL(`http://127.0.0.1:${harness.port}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url));
    return client;
  }

  it.each([null, '2026-07-28'])(
    'lists five read-only tools that all return results (protocol version %s)',
    async (pin) => {
      const client = await connected(pin);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        'health',
        'grids',
        'profit',
        'regimes',
        'history',
      ]);
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
      for (const { name } of tools) {
        const args = name === 'history' ? { kind: 'market' } : {};
        const answer = await client.callTool({ name, arguments: args });
        const [first] = answer.content as { text: string }[];
        expect({
          name,
          isError: answer.isError,
          isShort: Number(first?.text.length) < 1_200,
        }).toEqual({
          name,
          isError: undefined,
          isShort: true,
        });
      }
      await client.close();
    },
  );

  it('returns errors as results that begin with an error code', async () => {
    const client = await connected(null);
    const refusals = [
      ['history', { kind: 'market', start: 'x' }, 'validation_error'],
      ['collect', {}, 'not_found'],
    ] as const;
    for (const [name, args, code] of refusals) {
      expect(await client.callTool({ name, arguments: args })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(new RegExp(`^${code}: `)) }],
      });
    }
    await client.close();
  });

  it('has no sessions, and rejects foreign hosts and origins', async () => {
    await harness.http.get('/mcp').expect(405);
    await harness.http.post('/mcp').set('Host', 'evil.example').expect(403);
    await harness.http.post('/mcp').set('Origin', 'https://evil.example').expect(403);
  });

  it('needs fewer than 4,000 characters for its tool definitions', () => {
    expect(JSON.stringify(METRICS_TOOLS.definitions).length).toBeLessThan(4_000);
  });
});
