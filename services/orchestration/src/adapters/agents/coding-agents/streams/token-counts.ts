import { z } from 'zod';
import type { TokenCounts } from '../../agent-adapter';

/** What a tool leaves out, or says as nonsense, is 0: a cost event must not fail on it. */
const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0);

export const tokenCounts: z.ZodType<TokenCounts> = z.object({
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
});

export const NO_TOKENS: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;

function combine(of: (kind: (typeof KINDS)[number]) => number): TokenCounts {
  return {
    input: of('input'),
    output: of('output'),
    cacheRead: of('cacheRead'),
    cacheWrite: of('cacheWrite'),
  };
}

export function addTokens(one: TokenCounts, other: TokenCounts): TokenCounts {
  return combine((kind) => one[kind] + other[kind]);
}

/** What `later` counts beyond `earlier`; all of it when it counts less, for then it began anew. */
export function tokensSince(later: TokenCounts, earlier: TokenCounts): TokenCounts {
  if (KINDS.some((kind) => later[kind] < earlier[kind])) return later;
  return combine((kind) => later[kind] - earlier[kind]);
}

/** A cost event tells all that was read as input, from a cache or not. */
export function totalInput(counts: TokenCounts): number {
  return counts.input + counts.cacheRead + counts.cacheWrite;
}
