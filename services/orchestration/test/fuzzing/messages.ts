import type { ToolSet } from '@switchyard/mcp';
import fc from 'fast-check';
import type { Question } from '../ask';
import { inputsFor, type JsonSchema, junkText } from '../junk';
import type { ToolRow } from '../tool-rows';
import type { Ids } from '../world';
import { mcpFaultOf } from './judge';
import { type Headers, headerText, oddly } from './questions';
import type { Exchange } from './send';

const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

const VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28', '1999-01-01'];

type Tools = Pick<ToolSet<never>, 'definitions'>;

const protocolMessages = fc.oneof(
  fc.constantFrom<unknown>(
    { method: 'tools/list', params: {} },
    { method: 'ping' },
    { method: 'server/discover', params: {} },
    { method: 'notifications/initialized' },
    { method: 'subscriptions/listen', params: {} },
    { method: 'resources/list' },
    { method: 'tools/call', params: { name: '__proto__', arguments: {} } },
    { method: 'tools/call', params: { name: 'find', arguments: [] } },
    { method: 'tools/call' },
  ),
  fc.record({
    method: fc.constant('initialize'),
    params: fc.record({
      protocolVersion: fc.oneof(fc.constantFrom(...VERSIONS), junkText),
      capabilities: fc.constant({}),
      clientInfo: fc.constantFrom<unknown>({ name: 'x', version: '1' }, {}, null),
    }),
  }),
  fc.record({ method: junkText, params: fc.jsonValue() }, { requiredKeys: [] }),
  fc.jsonValue(),
);

const ids = fc.oneof(
  { weight: 9, arbitrary: fc.constant<unknown>(1) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, 1.5, 'x', {}, 2 ** 60) },
);

export function messagesFor(
  { definitions }: Tools,
  rows: readonly ToolRow[],
  { ids: known, callers }: { ids: Ids; callers: readonly Headers[] },
): Exchange[] {
  const caller = fc.record({
    credential: fc.constantFrom(...callers),
    version: fc.oneof(fc.constantFrom(undefined, ...VERSIONS), headerText),
  });
  const sent = (messages: fc.Arbitrary<unknown>): fc.Arbitrary<Question> =>
    fc.tuple(messages, ids, caller).map(([message, id, { credential, version }]) => ({
      method: 'POST',
      path: '/mcp',
      headers: { ...HEADERS, ...credential, 'mcp-protocol-version': version },
      body: JSON.stringify(
        typeof message === 'object' && message !== null && !Array.isArray(message)
          ? { jsonrpc: '2.0', ...(id !== undefined && { id }), ...message }
          : message,
      ),
    }));
  const callsOf = (name: string, schema: JsonSchema) => {
    const own = rows.filter(({ tool }) => tool === name).map(({ args }) => args(known));
    const goods = own.length > 0 ? own : [{}];
    const inputs = goods.map((good) => inputsFor(schema, Object.values(known), good));
    return fc
      .oneof(fc.constantFrom(...goods), ...inputs)
      .map((given) => ({ method: 'tools/call', params: { name, arguments: given } }));
  };
  const tools = definitions.map(({ name, inputSchema }) =>
    callsOf(name, inputSchema as JsonSchema),
  );
  return [...tools, protocolMessages].map((messages) => ({
    questions: oddly(sent(messages)),
    faultOf: mcpFaultOf,
    stage: 0,
  }));
}
