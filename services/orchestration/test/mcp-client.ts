import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof REVISIONS)[number];

export async function mcpClient(url: string, authorization: string | null, revision: Revision) {
  const isModern = revision === '2026-07-28';
  const client = new Client(
    { name: 'tests', version: '1' },
    isModern
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  );
  const headers = authorization === null ? undefined : { authorization };
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers },
  });
  await client.connect(transport);
  return client;
}

export async function useTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const answer = await client.callTool({ name, arguments: args });
  const [first] = answer.content as { text: string }[];
  return {
    text: first?.text ?? '',
    fields: answer.structuredContent as Record<string, unknown> | undefined,
    isRefused: answer.isError === true,
  };
}
