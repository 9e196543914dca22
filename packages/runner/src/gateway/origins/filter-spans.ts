import { z } from 'zod';
import { Refusal } from '../exchange/refusal';

const NAMES_IN_TEXT = new Set([
  ...['service.name', 'service.version', 'telemetry.sdk.name', 'telemetry.sdk.version'],
  ...['error.type', 'exception.type', 'server.address', 'http.request.method', 'session.id'],
  ...['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.system', 'gen_ai.conversation.id'],
  ...['gen_ai.agent.id', 'gen_ai.agent.name', 'gen_ai.request.model', 'gen_ai.response.model'],
  ...['gen_ai.response.id', 'gen_ai.tool.name', 'gen_ai.tool.type', 'gen_ai.tool.call.id'],
  ...['mcp.method.name', 'span.type', 'tool_name', 'model', 'ai.operationId', 'ai.model.id'],
  ...['ai.model.provider', 'ai.toolCall.name', 'ai.toolCall.id', 'ai.response.finishReason'],
]);
const MAX_TEXT = 200;
const MAX_MARKS = 100_000;

const digits = z.union([z.int(), z.string().regex(/^-?\d{1,20}$/)]);
const value = z
  .object({
    stringValue: z.string().optional(),
    boolValue: z.boolean().optional(),
    intValue: digits.optional(),
    doubleValue: z.number().optional(),
  })
  .default({});
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .default([])
  .transform((all) =>
    all.filter(({ key, value: { stringValue: text, ...counts } }) => {
      if (key.length > MAX_TEXT || !/^(?!switchyard\.)[\w.-]+$/.test(key)) return false;
      if (text === undefined) return Object.keys(counts).length > 0;
      return NAMES_IN_TEXT.has(key) && text.length <= MAX_TEXT;
    }),
  );
const name = z
  .string()
  .default('')
  .transform((text) => text.slice(0, MAX_TEXT));
const spanId = z.string().regex(/^[0-9a-f]{16}$/i, 'must be 16 hexadecimal digits');
const time = z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/, 'must be nanoseconds')]);
const span = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/i, 'must be 32 hexadecimal digits'),
  spanId,
  parentSpanId: spanId.or(z.literal('')).optional(),
  name,
  kind: z.int().min(0).max(5).optional(),
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes,
  status: z.object({ code: z.int().min(0).max(2).optional() }).optional(),
  flags: z.int().min(0).max(4_294_967_295).optional(),
});
const traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }).default({ attributes: [] }),
      scopeSpans: z
        .array(
          z.object({
            scope: z.object({ name, version: name }).optional(),
            spans: z.array(span).default([]),
          }),
        )
        .default([]),
    }),
  ),
});

/**
 * Returns only the names, times, counts and ids of the spans, because tools also send prompts,
 * outputs and arguments: as attributes, events or texts of errors. Names the run as the origin.
 * @throws Refusal 400
 */
export function filterSpans(body: Buffer, run: { id: string; companyId: string }): Buffer {
  const { success, data, error } = traces.safeParse(readJson(body));
  if (!success) {
    const [issue] = error.issues;
    throw new Refusal(400, `${issue?.path.join('.') || 'the body'}: ${issue?.message}`);
  }
  const origin = [
    { key: 'switchyard.run_id', value: { stringValue: run.id } },
    { key: 'switchyard.company_id', value: { stringValue: run.companyId } },
  ];
  const resourceSpans = data.resourceSpans
    .filter(({ scopeSpans }) => scopeSpans.length > 0)
    .map(({ resource, scopeSpans }) => ({
      resource: { attributes: [...resource.attributes, ...origin] },
      scopeSpans,
    }));
  return Buffer.from(JSON.stringify({ resourceSpans }));
}

function readJson(body: Buffer): unknown {
  let marks = 0;
  for (const byte of body) if (byte === 0x7b || byte === 0x5b || byte === 0x2c) marks++;
  if (marks > MAX_MARKS) {
    throw new Refusal(400, 'the body has too many values; export fewer spans at once');
  }
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'the body must be JSON');
  }
}
