import { z } from 'zod';
import type { CountedUse, TokenCounts } from '../../agent-adapter';
import type { ToolEvent } from '../tool-event';

const MAX_SAID_CHARS = 4_000;

export function logText(text: string, mark = ''): ToolEvent[] {
  const trimmed = text.trimEnd();
  if (trimmed === '') return [];
  const cut =
    trimmed.length > MAX_SAID_CHARS
      ? `${trimmed.slice(0, MAX_SAID_CHARS)}\n[${trimmed.length - MAX_SAID_CHARS} more characters]`
      : trimmed;
  return [{ kind: 'log', text: mark + cut }];
}

export function logToolUse(name: string, input: unknown): ToolEvent[] {
  const command = (input as { command?: unknown } | null)?.command;
  if (typeof command === 'string') return logText(command, '$ ');
  return logText(`${name} ${JSON.stringify(input ?? {})}`, '[tool] ');
}

export const NOTHING_DONE: ToolEvent = {
  kind: 'failed',
  failure: { kind: 'no_result', message: 'the tool ended without doing any work' },
};

export const text = z.string().catch('');
export const optionalText = z.string().optional().catch(undefined);
export const optionalNumber = z.number().optional().catch(undefined);

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0);

const counts = z.object({ input: count, output: count, cacheRead: count, cacheWrite: count });

export const tokenCounts: z.ZodType<TokenCounts> = counts;

export const countedUse: z.ZodType<CountedUse> = counts.extend({
  dollars: optionalNumber,
  models: z
    .array(counts.extend({ model: text, dollars: z.number().catch(0) }))
    .optional()
    .catch(undefined),
});
