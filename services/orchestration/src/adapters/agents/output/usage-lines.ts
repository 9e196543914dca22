import { cents, name, tokenCount } from '@switchyard/types';
import { z } from 'zod';
import type { UsageReport } from '../agent-adapter';
import { readObject } from './read-object';
import { createLineSplitter, type LineSplitter } from './split-lines';

/** Takes what the server takes, so that a cost event never fails on its text or numbers. */
const usageLine = z.object({
  type: z.literal('usage'),
  provider: name,
  model: name,
  inputTokens: tokenCount,
  outputTokens: tokenCount,
  /** Absent or null when the agent does not know the price; the event is then flagged. */
  costCents: cents.nullable().default(null),
});

/** The report of a line `{ "type": "usage", … }`, or null for any other text; never throws. */
export function parseUsageLine(line: Buffer): UsageReport | null {
  if (!line.includes('"usage"')) return null;
  const { data } = usageLine.safeParse(readObject(line.toString('utf8')));
  if (!data) return null;
  const { type: _, ...usage } = data;
  return usage;
}

/** Reads NDJSON usage lines out of a byte stream; everything else passes unnoticed. */
export function createUsageReader(onUsage: (usage: UsageReport) => void): LineSplitter {
  return createLineSplitter((line) => {
    const usage = parseUsageLine(line);
    if (usage) onUsage(usage);
  });
}
