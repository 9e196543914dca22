import { cents, name, tokenCount } from '@switchyard/types';
import { z } from 'zod';
import type { UsageReport } from '../agent-adapter';
import { readObject } from './read-object';
import { createLineSplitter, type LineSplitter, NEWLINE } from './split-lines';

const ROUNDING = 1e-7;

/** Accepts only what the server accepts, so that no cost event is rejected. */
const FIELDS = {
  provider: name,
  model: name,
  inputTokens: tokenCount,
  outputTokens: tokenCount,
  /** Cost in cents, rounded up; null if the event has no price. */
  costCents: z
    .number()
    .min(0)
    .transform((value) => Math.max(0, Math.ceil(value - ROUNDING)))
    .pipe(cents)
    .nullable()
    .default(null),
};
const usageLine = z.object(FIELDS);

const partOfLine = z.object({
  provider: name.catch('unknown'),
  model: name.catch('unknown'),
  inputTokens: tokenCount.catch(0),
  outputTokens: tokenCount.catch(0),
});

const LOOKS_LIKE_USAGE = /^\s*\{\s*"type"\s*:\s*"usage"/;

export interface UsageLine {
  usage: UsageReport;
  problem: string | null;
}

export function parseUsageLine(line: Buffer): UsageLine | null {
  if (!line.includes('"usage"')) return null;
  const text = line.toString('utf8');
  const read = readObject(text);
  if (read ? read.type !== 'usage' : !LOOKS_LIKE_USAGE.test(text)) return null;
  const { data, error } = usageLine.safeParse(read ?? {});
  if (data)
    return { usage: data, problem: data.costCents === null ? 'costCents is missing' : null };
  const usage = { ...partOfLine.parse(read ?? {}), costCents: null };
  return { usage, problem: read ? describe(error) : 'the line is not JSON' };
}

const describe = ({ issues }: z.ZodError) =>
  [...new Set(issues.map(({ path }) => path[0]))]
    .map((field) => `${String(field)} ${RULES[field as keyof typeof FIELDS]}`)
    .join(', ');

const NAME = 'must be a name of 1 to 200 characters';
const COUNT = 'must be a whole number of 0 or more';
const RULES: Record<keyof typeof FIELDS, string> = {
  provider: NAME,
  model: NAME,
  inputTokens: COUNT,
  outputTokens: COUNT,
  costCents: 'must be a number of 0 or more',
};

const MAX_NOTES = 10;

/**
 * Reads usage lines in NDJSON. A line that is unreadable or has no price becomes an event without a
 * price, with a note in the log.
 */
export function createUsageReader({
  onUsage,
  onOutput,
}: {
  onUsage(usage: UsageReport): void;
  onOutput(note: Buffer): void;
}): LineSplitter {
  let notes = 0;
  let isInsideLine = false;
  const note = (text: string) => {
    onOutput(Buffer.from(`${isInsideLine ? '\n' : ''}[usage] ${text}\n`));
    isInsideLine = false;
  };
  const lines = createLineSplitter((line) => {
    const read = parseUsageLine(line);
    if (!read) return;
    onUsage(read.usage);
    if (read.problem === null || notes > MAX_NOTES) return;
    notes += 1;
    if (notes > MAX_NOTES) note('further usage without a price is not logged');
    else note(`counted without a price: ${read.problem}`);
  });
  return {
    write(chunk) {
      if (chunk.length > 0) isInsideLine = chunk.at(-1) !== NEWLINE;
      lines.write(chunk);
    },
    end: lines.end,
  };
}
