import { cents, tokenCount } from '@switchyard/types/primitives';
import { z } from 'zod';
import type { UsageReport } from '../agent-adapter';
import { createLineSplitter, type LineSplitter } from './split-lines';

const NUL_OR_LONE_SURROGATE = /[\0\ud800-\udfff]/u;

/** PostgreSQL stores neither NUL nor a lone surrogate, and a cost event must not fail on its text. */
const NAME = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !NUL_OR_LONE_SURROGATE.test(text));

/** JSON numbers only, and only those that are exact: money is never rounded. */
const USAGE_LINE = z.object({
  type: z.literal('usage'),
  provider: NAME,
  model: NAME,
  inputTokens: tokenCount,
  outputTokens: tokenCount,
  /** An agent may not know the price; then it says so by silence or null, and the event is flagged. */
  costCents: cents.nullish(),
});

/** The report of a line `{ "type": "usage", … }`, or null for any other text; never throws. */
export function parseUsageLine(line: Buffer): UsageReport | null {
  if (!line.includes('"usage"')) return null;
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    return null;
  }
  const parsed = USAGE_LINE.safeParse(value);
  if (!parsed.success) return null;
  const { provider, model, inputTokens, outputTokens, costCents } = parsed.data;
  return { provider, model, inputTokens, outputTokens, costCents: costCents ?? null };
}

/** Reads NDJSON usage lines out of a byte stream; everything else passes unnoticed. */
export function createUsageReader(onUsage: (usage: UsageReport) => void): LineSplitter {
  return createLineSplitter((line) => {
    const usage = parseUsageLine(line);
    if (usage) onUsage(usage);
  });
}
