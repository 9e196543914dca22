import { z } from 'zod';
import { readObject } from '../../output/read-object';
import type { ReadingContext, ToolReader } from '../coding-tool';
import { classifyFailure } from '../failures/classify-failure';
import type { ToolEvent } from '../tool-event';
import { createCallLog } from './call-log';
import { createClaudeUsage, tokenUsage } from './claude-usage';
import { logMessage, logText, NOTHING_DONE, optionalNumber, optionalText, text } from './read-json';

const block = z
  .looseObject({
    type: text,
    text,
    name: text,
    id: text,
    input: z.unknown().optional(),
    content: z.unknown().optional(),
    tool_use_id: text,
    is_error: z.boolean().catch(false),
  })
  .catch({ type: '', text: '', name: '', id: '', tool_use_id: '', is_error: false });

const message = z.object({
  id: text,
  model: text,
  content: z.union([z.string(), z.array(block)]).catch([]),
  usage: tokenUsage.optional().catch(undefined),
});

const result = z.object({
  num_turns: optionalNumber,
  is_error: z.boolean().catch(false),
  subtype: text,
  result: optionalText,
  errors: z.array(z.string()).catch([]),
  api_error_status: optionalNumber,
  api_error_type: text,
  api_error: text,
});

const limit = z.object({ status: text, resetsAt: optionalNumber });

function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = z.array(block).catch([]).parse(content);
  return parts.map((part) => part.text).join('\n');
}

/**
 * Reads `claude -p --output-format stream-json --verbose`. Counts the usage in message lines until
 * a result reports the total, because message lines only contain the output tokens at the start of
 * a message.
 */
export function createClaudeReader({ session, now }: ReadingContext): ToolReader {
  const use = createClaudeUsage(session);
  const calls = createCallLog(now);
  const counted = new Set<string>();
  const tasks = new Set<unknown>();
  let resetsAt: number | undefined;
  let errorWord = '';
  let keySource: unknown;
  let refusals = 0;

  const readMessage = (line: Record<string, unknown>): ToolEvent[] => {
    const { data } = message.safeParse(line.message);
    if (!data || typeof data.content === 'string') return [];
    const said = data.content.flatMap((part): ToolEvent[] => {
      if (part.type === 'text' && line.type === 'assistant') return logMessage(part.text);
      if (part.type === 'tool_use') return calls.start(part.id, part.name, part.input);
      if (part.type === 'tool_result') {
        const output = resultText(part.content);
        return calls.end(part.tool_use_id, { isFailed: part.is_error, output });
      }
      return [];
    });
    const events: ToolEvent[] = [{ kind: 'working' }, ...said];
    if (line.type !== 'assistant') return events;
    errorWord = typeof line.error === 'string' ? line.error : '';
    refusals = 0;
    if (!data.usage || data.model === '<synthetic>' || counted.has(data.id)) return events;
    counted.add(data.id);
    return [
      ...events,
      { kind: 'used', use: { model: data.model, counts: data.usage, dollars: null } },
    ];
  };

  /**
   * Allows one retry after a failed sign-in, because Claude Code may renew the sign-in. Allows none
   * with an API key, because an invalid key stays invalid.
   */
  const readRetry = ({ error }: Record<string, unknown>): ToolEvent[] => {
    const said = logText(`trying again: ${error}`, '[claude] ');
    refusals = error === 'authentication_failed' ? refusals + 1 : 0;
    if (refusals < (keySource === 'ANTHROPIC_API_KEY' ? 1 : 2)) return said;
    const message = `the provider refused the sign-in: ${error}`;
    return [...said, { kind: 'refused', failure: { kind: 'not_signed_in', message } }];
  };

  const readTask = ({ subtype, task_id: id }: Record<string, unknown>): void => {
    if (subtype === 'task_started') tasks.add(id);
    if (subtype === 'task_notification') tasks.delete(id);
  };

  const readResult = (line: Record<string, unknown>): ToolEvent[] => {
    const { data } = result.safeParse(line);
    if (!data) return [];
    const used = use.read(line);
    const total: ToolEvent[] = used ? [{ kind: 'total', ...used }] : [];
    const summary = data.result ?? null;
    if (!data.is_error && !data.subtype.startsWith('error')) {
      const hasWorked = used || counted.size > 0 || data.num_turns || summary?.trim();
      if (!hasWorked) return [NOTHING_DONE];
      const mayContinue = tasks.size > 0;
      return [...total, { kind: 'finished', summary, ...(mayContinue && { mayContinue }) }];
    }
    const words = [summary ?? '', ...data.errors].join('\n').trim() || data.subtype;
    if (data.subtype.startsWith('error_max')) {
      return [...total, { kind: 'failed', failure: { kind: 'other', message: words } }];
    }
    const failure = classifyFailure({
      text: words,
      status: data.api_error_status,
      types: [data.api_error, data.api_error_type, errorWord],
      resetsAt,
      now: now(),
    });
    return [...total, { kind: 'failed', failure: { ...failure, message: words } }];
  };

  const out = (raw: string): ToolEvent[] => {
    const line = readObject(raw);
    if (!line) return logText(raw, '[claude] ');
    switch (line.type) {
      case 'system':
        if (line.subtype === 'init') {
          keySource = line.apiKeySource;
          use.open(line);
        }
        if (line.subtype === 'init' && typeof line.session_id === 'string') {
          const on = typeof line.model === 'string' ? `model ${line.model}` : '';
          return [{ kind: 'session', id: line.session_id }, ...logText(on, '[claude] ')];
        }
        readTask(line);
        return line.subtype === 'api_retry' ? readRetry(line) : [];
      case 'assistant':
      case 'user':
        return readMessage(line);
      case 'rate_limit_event': {
        const { data } = limit.safeParse(line.rate_limit_info);
        if (data?.status === 'rejected') resetsAt = data.resetsAt;
        return [];
      }
      case 'result':
        return readResult(line);
      default:
        return [];
    }
  };
  return { out, err: (line) => logText(line, '[claude] ') };
}
