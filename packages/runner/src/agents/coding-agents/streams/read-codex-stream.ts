import { z } from 'zod';
import { readObject } from '../../output/read-object';
import type { ReadingContext, ToolReader } from '../coding-tool';
import { classifyFailure } from '../failures/classify-failure';
import type { ToolEvent } from '../tool-event';
import { type CallLog, createCallLog } from './call-log';
import { logMessage, logText, NOTHING_DONE, optionalNumber, text, tokenCounts } from './read-json';
import { NO_TOKENS, tokensSince, totalInput } from './token-counts';

const usage = z.object({
  input_tokens: optionalNumber,
  cached_input_tokens: optionalNumber,
  cache_write_input_tokens: optionalNumber,
  output_tokens: optionalNumber,
});

const item = z.looseObject({
  id: text,
  type: text,
  text,
  message: text,
  command: text,
  aggregated_output: text,
  exit_code: z.number().nullish().catch(undefined),
  server: text,
  tool: text,
  status: text,
  result: z
    .object({ content: z.array(z.looseObject({ text })) })
    .nullish()
    .catch(undefined),
  error: z.object({ message: text }).nullish().catch(undefined),
});

const failed = z.object({ error: z.object({ message: text }) });

function readItem(line: Record<string, unknown>, calls: CallLog): ToolEvent[] {
  const { data } = item.safeParse(line.item);
  if (!data) return [];
  const isStart = line.type === 'item.started';
  if (data.type === 'reasoning') return [];
  if (data.type === 'agent_message') return isStart ? [] : logMessage(data.text);
  if (data.type === 'error') return isStart ? [] : logText(data.message, '[codex] ');
  const isNew = isStart || !calls.has(data.id);
  const started = isNew ? calls.start(data.id, ...readCall(data, line.item as object)) : [];
  if (isStart) return started;
  const { exit_code: exitCode, error, result } = data;
  const said = [
    data.aggregated_output,
    error?.message,
    ...(result?.content ?? []).map((part) => part.text),
  ];
  const isFailed = Boolean(exitCode || error) || data.status === 'failed';
  const output = said.filter(Boolean).join('\n');
  return [...started, ...calls.end(data.id, { isFailed, exitCode, output })];
}

function readCall(data: z.infer<typeof item>, raw: object): [name: string, input: unknown] {
  if (data.type === 'command_execution') return ['shell', { command: data.command }];
  if (data.type === 'mcp_tool_call') return [`${data.server}.${data.tool}`, data.arguments];
  const { id: _, type: _type, status: _status, ...input } = raw as Record<string, unknown>;
  return [data.type, input];
}

/**
 * Reads `codex exec --json`. Codex counts tokens from the beginning of the conversation, even if it
 * is resumed, and counts cached tokens as input. It reports neither model nor price.
 */
export function createCodexReader({ model, session, now }: ReadingContext): ToolReader {
  const before = session?.counted ?? NO_TOKENS;
  let summary: string | null = null;

  let hasWorked = false;
  const calls = createCallLog(now);

  const readTotal = (value: unknown): ToolEvent[] => {
    const { data } = usage.safeParse(value);
    if (!data) return [];
    const cacheRead = data.cached_input_tokens ?? 0;
    const cacheWrite = data.cache_write_input_tokens ?? 0;
    const counted = tokenCounts.parse({
      input: Math.max(0, (data.input_tokens ?? 0) - cacheRead - cacheWrite),
      output: data.output_tokens,
      cacheRead,
      cacheWrite,
    });
    const counts = tokensSince(counted, before);
    hasWorked ||= totalInput(counts) + counts.output > 0;
    return [
      { kind: 'total', uses: [{ model: model ?? 'default', counts, dollars: null }], counted },
    ];
  };

  const fail = (words: string): ToolEvent[] => [
    { kind: 'failed', failure: classifyFailure({ text: words, now: now() }) },
  ];

  const out = (raw: string): ToolEvent[] => {
    const line = readObject(raw);
    if (!line) return logText(raw, '[codex] ');
    switch (line.type) {
      case 'thread.started':
        return typeof line.thread_id === 'string' ? [{ kind: 'session', id: line.thread_id }] : [];
      case 'item.started':
      case 'item.completed': {
        const { data } = item.safeParse(line.item);
        hasWorked ||= data !== undefined && data.type !== 'error';
        const events: ToolEvent[] = [{ kind: 'working' }, ...readItem(line, calls)];
        if (data?.type === 'agent_message' && line.type === 'item.completed') summary = data.text;
        return events;
      }
      case 'turn.completed':
        return [...readTotal(line.usage), hasWorked ? { kind: 'finished', summary } : NOTHING_DONE];
      case 'turn.failed':
        return fail(failed.safeParse(line).data?.error.message ?? 'the turn failed');
      case 'error':
        return logText(typeof line.message === 'string' ? line.message : '', '[codex] ');
      default:
        return [];
    }
  };
  const err = (line: string): ToolEvent[] => [
    ...logText(line, '[codex] '),
    ...(/^Error: /.test(line) ? fail(line) : []),
  ];
  return { out, err };
}
