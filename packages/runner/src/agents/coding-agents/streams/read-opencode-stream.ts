import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { readObject } from '../../output/read-object';
import type { ReadingContext, ToolReader } from '../coding-tool';
import { classifyFailure } from '../failures/classify-failure';
import type { ToolEvent } from '../tool-event';
import { createCallLog } from './call-log';
import {
  logMessage,
  logText,
  NOTHING_DONE,
  optionalNumber,
  optionalText,
  text,
  tokenCounts,
} from './read-json';
import { totalInput } from './token-counts';

const toolState = z
  .object({
    status: text,
    input: z.unknown().optional(),
    output: text,
    error: text,
    time: z.object({ start: z.number(), end: z.number() }).optional().catch(undefined),
  })
  .catch({ status: '', output: '', error: '' });

const part = z
  .looseObject({
    text,
    tool: text,
    callID: text,
    reason: text,
    state: toolState,
    cost: optionalNumber,
    tokens: z
      .looseObject({
        reasoning: optionalNumber,
        output: optionalNumber,
        cache: z.looseObject({}).catch({}),
      })
      .catch({ cache: {} }),
  })
  .partial({ state: true });

const error = z.object({
  name: text,
  data: z
    .object({
      message: text,
      statusCode: optionalNumber,
      responseBody: optionalText,
      responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
    })
    .catch({ message: '', statusCode: undefined }),
});

const LOG_LINE = /^timestamp=\S+ level=/;
const LOG_ERROR = /error="([^"]{1,2000})"/;
const CALLS_TOOLS = new Set(['tool-calls', '']);
const TRIES_AGAIN = /message="stream error"/;
/** Harmless, because OpenCode continues with its old list of models if it has no network. */
const HARMLESS = /Failed to fetch models/;

const body = z.object({ error: z.object({ type: text, code: text }) });

function typesIn(responseBody: string | undefined): string[] {
  const { data } = body.safeParse(readObject(responseBody ?? ''));
  return data ? [data.error.code, data.error.type] : [];
}

export function createOpencodeReader({ model, now }: ReadingContext): ToolReader {
  let session: string | null = null;
  let logged = '';
  let said: string | null = null;
  let hasWorked = false;
  const calls = createCallLog(now);

  const readPart = (type: unknown, value: unknown): ToolEvent[] => {
    const { data } = part.safeParse(value);
    if (!data) return [];
    if (type === 'step_start') return [{ kind: 'working' }];
    if (type === 'text') {
      said = data.text;
      hasWorked ||= said.trim() !== '';
      return logMessage(data.text);
    }
    if (type === 'tool_use') {
      hasWorked = true;
      const { status, input, output, error, time } = data.state ?? toolState.parse(null);
      const tookMs = time && time.end - time.start;
      const isFailed = status === 'error';
      return [
        ...calls.start(data.callID, data.tool, input),
        ...calls.end(data.callID, { isFailed, output: output || error, tookMs }),
      ];
    }
    if (type !== 'step_finish') return [];
    const counts = tokenCounts.parse({
      input: data.tokens.input,
      output: (data.tokens.output ?? 0) + (data.tokens.reasoning ?? 0),
      cacheRead: data.tokens.cache.read,
      cacheWrite: data.tokens.cache.write,
    });
    const dollars = data.cost ? data.cost : null;
    const used: ToolEvent = { kind: 'used', use: { model: model ?? 'default', counts, dollars } };
    hasWorked ||= totalInput(counts) + counts.output > 0;
    if (CALLS_TOOLS.has(data.reason)) return [used];
    const mayContinue = data.reason === 'unknown';
    return [
      used,
      hasWorked
        ? { kind: 'finished', summary: said, ...(mayContinue && { mayContinue }) }
        : NOTHING_DONE,
    ];
  };

  const readError = (value: unknown): ToolEvent[] => {
    const { data } = error.safeParse(value);
    const words = data?.data.message || data?.name || 'the tool failed without a message';
    const hidden = data?.name === 'UnknownError' && logged ? logged : '';
    const failure = classifyFailure({
      text: `${hidden || words}\n${data?.data.responseBody?.slice(0, 2_000) ?? ''}`,
      status: data?.data.statusCode,
      types: typesIn(data?.data.responseBody),
      headers: data?.data.responseHeaders,
      now: now(),
    });
    return [{ kind: 'failed', failure: { ...failure, message: hidden || words } }];
  };

  const out = (raw: string): ToolEvent[] => {
    const line = readObject(raw);
    if (!line) return logText(stripVTControlCharacters(raw), '[opencode] ');
    const first = session === null && typeof line.sessionID === 'string';
    if (first) session = line.sessionID as string;
    const opened: ToolEvent[] = first ? [{ kind: 'session', id: session as string }] : [];
    return [
      ...opened,
      ...(line.type === 'error' ? readError(line.error) : readPart(line.type, line.part)),
    ];
  };

  const err = (raw: string): ToolEvent[] => {
    const line = stripVTControlCharacters(raw);
    if (!LOG_LINE.test(line)) {
      const failure = classifyFailure({ text: line, now: now() });
      const fails = /^Error: /.test(line);
      return [
        ...logText(line, '[opencode] '),
        ...(fails ? ([{ kind: 'failed', failure }] as const) : []),
      ];
    }
    if (HARMLESS.test(line)) return [];
    logged = LOG_ERROR.exec(line)?.[1] ?? logged;
    if (!TRIES_AGAIN.test(line)) return [];
    const failure = classifyFailure({ text: logged, now: now() });
    return [...logText(logged, '[opencode] trying again: '), { kind: 'waiting', failure }];
  };
  return { out, err };
}
