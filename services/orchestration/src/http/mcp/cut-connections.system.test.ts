import { connect } from 'node:net';
import { useHarness } from '../../../test/harness';
import { mcpClient, useTool } from '../../../test/mcp-client';

const CALLS = Number(process.env.MCP_CUT_CALLS ?? 200);
const AT_ONCE = 4;

describe('a tool call that is repeated after its connection was cut', () => {
  const harness = useHarness();

  async function sendAndHangUp(authorization: string, args: object, at: number): Promise<void> {
    const { port, host } = new URL(harness.url);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: at,
      method: 'tools/call',
      params: { name: 'comment', arguments: args },
    });
    const head = [
      'POST /mcp HTTP/1.1',
      `Host: ${host}`,
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ].join('\r\n');
    const socket = connect(Number(port), '127.0.0.1');
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.write(`${head}\r\n\r\n${body}`, () => {
      if (at % 3 === 0) socket.destroy();
      else if (at % 3 === 1) setImmediate(() => socket.destroy());
      else socket.once('data', () => socket.destroy());
    });
    await closed;
  }

  it(`takes effect only once, for each of ${CALLS} calls`, async () => {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId });
    const client = await mcpClient(harness.url, run.authorization, '2026-07-28');
    let next = 0;
    const ids: unknown[] = [];
    const work = async () => {
      for (let at = next++; at < CALLS; at = next++) {
        const args = { issue: issue.identifier, text: `Comment ${at}` };
        await sendAndHangUp(run.authorization, args, at);
        const again = await useTool(client, 'comment', args);
        expect(again).toMatchObject({ isRefused: false });
        ids.push(again.fields?.id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await client.close();
    expect(new Set(ids).size).toBe(CALLS);
    const stored = await harness.db.issueComment.findMany({ where: { issueId: issue.id } });
    expect(stored).toHaveLength(CALLS);
    expect(new Set(stored.map(({ body }) => body)).size).toBe(CALLS);
  });
});
