import type { UsageReport } from '../agent-adapter';
import { readObject } from './read-object';
import { createLineSplitter, type LineSplitter } from './split-lines';

const NUL_OR_LONE_SURROGATE = /[\0\ud800-\udfff]/u;

const MAX_NAME_CHARS = 200;
/** Of what the server takes, as `tokenCount` and `cents` of the contract. */
const MOST = 1_000_000_000_000;

/*
 * Read by hand, without the contract's schemas: every run may write such lines, and a runner that loads no schemas is
 * 4.5 MB smaller.
 */

/** PostgreSQL stores neither NUL nor a lone surrogate, and a cost event must not fail on its text. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= MAX_NAME_CHARS &&
  !NUL_OR_LONE_SURROGATE.test(value);

/** JSON numbers only, and only those that are exact: money is never rounded. */
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MOST;

/** The report of a line `{ "type": "usage", … }`, or null for any other text; never throws. */
export function parseUsageLine(line: Buffer): UsageReport | null {
  if (!line.includes('"usage"')) return null;
  const value = readObject(line.toString('utf8'));
  if (value?.type !== 'usage') return null;
  // An agent may not know the price; then it says so by silence or null, and the event is flagged.
  const { provider, model, inputTokens, outputTokens, costCents = null } = value;
  if (!isName(provider) || !isName(model) || !isCount(inputTokens) || !isCount(outputTokens)) {
    return null;
  }
  if (costCents !== null && !isCount(costCents)) return null;
  return { provider, model, inputTokens, outputTokens, costCents };
}

/** Reads NDJSON usage lines out of a byte stream; everything else passes unnoticed. */
export function createUsageReader(onUsage: (usage: UsageReport) => void): LineSplitter {
  return createLineSplitter((line) => {
    const usage = parseUsageLine(line);
    if (usage) onUsage(usage);
  });
}
