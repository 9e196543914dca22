import { createInterface } from 'node:readline';
import {
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Command } from 'commander';
import { note } from '../output.js';
import { openConnection } from '../service.js';

export function addMcp(program: Command): void {
  program
    .command('mcp')
    .description('serve the tools of the service by MCP on standard input and output')
    .action(async (_options, command: Command) => {
      const { url, token } = openConnection(command);
      await bridge(new URL(`${url}/mcp`), token);
    });
}

async function bridge(address: URL, token: string | undefined): Promise<void> {
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  const service = new StreamableHTTPClientTransport(address, { requestInit });
  const unanswered = new Map<RequestId, () => void>();
  const answer = (message: JSONRPCMessage) => {
    process.stdout.write(`${JSON.stringify(message)}\n`);
    if ('method' in message || message.id === undefined) return;
    unanswered.get(message.id)?.();
    unanswered.delete(message.id);
  };
  service.onmessage = (message) => {
    const version = 'result' in message ? message.result.protocolVersion : undefined;
    if (typeof version === 'string') service.setProtocolVersion(version);
    answer(message);
  };
  const fail = (id: RequestId | undefined, error: Error) => {
    const message = `The service did not respond: ${error.message}`;
    note(message);
    if (id !== undefined) answer({ jsonrpc: '2.0', id, error: { code: -32_603, message } });
  };
  await service.start();
  for await (const line of createInterface({ input: process.stdin })) {
    const message = parseMessage(line);
    if (!message) {
      note('Each line of the input must be a JSON object.');
      continue;
    }
    const id = 'method' in message && 'id' in message ? message.id : undefined;
    if (id !== undefined) unanswered.set(id, () => undefined);
    service.send(message).catch((error: Error) => fail(id, error));
  }
  const ids = [...unanswered.keys()];
  await Promise.all(ids.map((id) => new Promise<void>((done) => unanswered.set(id, done))));
  await service.close();
}

function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as JSONRPCMessage;
  } catch {}
  return undefined;
}
