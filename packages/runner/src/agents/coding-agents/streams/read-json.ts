import { z } from 'zod';
import type { CountedUse, TokenCounts } from '../../agent-adapter';
import type { ToolEvent } from '../tool-event';

const MAX_SAID_CHARS = 4_000;

export function shortened(text: string, before = '\n'): string {
  const more = text.length - MAX_SAID_CHARS;
  return more > 0 ? `${text.slice(0, MAX_SAID_CHARS)}${before}[${more} more characters]` : text;
}

export function logText(text: string, mark: string): ToolEvent[] {
  const trimmed = text.trimEnd();
  if (trimmed === '') return [];
  return [{ kind: 'log', text: mark + shortened(trimmed).replaceAll('\n', `\n${mark}`) }];
}

export function logMessage(text: string): ToolEvent[] {
  const trimmed = text.trimEnd();
  if (trimmed === '') return [];
  return [{ kind: 'log', text: `${shortened(trimmed).replace(LOOKS_LIKE_MARK, ' $&')}\n` }];
}

const LOOKS_LIKE_MARK = /^ *(?:>(?: |$)|\[(?:[a-z]+(?: \d+)?\]|\d+ bytes of output) )/gm;

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
