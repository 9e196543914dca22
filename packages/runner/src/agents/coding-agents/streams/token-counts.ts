import type { TokenCounts } from '../../agent-adapter';

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

export function tokensAbove(later: TokenCounts, earlier: TokenCounts): boolean {
  return KINDS.every((kind) => later[kind] >= earlier[kind]);
}

/** A lower count means that the tool has started counting again from zero. */
export function tokensSince(later: TokenCounts, earlier: TokenCounts): TokenCounts {
  if (!tokensAbove(later, earlier)) return later;
  return combine((kind) => later[kind] - earlier[kind]);
}

export function totalInput(counts: TokenCounts): number {
  return counts.input + counts.cacheRead + counts.cacheWrite;
}
