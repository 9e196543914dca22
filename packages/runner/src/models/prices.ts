import type { TokenCounts } from '../agents/agent-adapter';

export type Price = Record<keyof TokenCounts, number>;
export type PriceTable = Readonly<Record<string, Price>>;

const of = (input: number, output: number, cacheRead: number, cacheWrite = 0): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

/**
 * List prices of the standard tier on 2026-09-25, without surcharges for long contexts, priority
 * and web searches. A cost that the tool itself reports includes these, and is preferred.
 */
export const BUILT_IN_PRICES: PriceTable = {
  'claude-fable-5': of(10, 50, 1, 12.5),
  'claude-fable-5-1': of(10, 50, 0.25, 12.5),
  'claude-haiku-4-5': of(1, 5, 0.1, 1.25),
  'claude-opus-4-5': of(5, 25, 0.5, 6.25),
  'claude-opus-4-6': of(5, 25, 0.5, 6.25),
  'claude-opus-4-7': of(5, 25, 0.5, 6.25),
  'claude-opus-4-8': of(5, 25, 0.5, 6.25),
  'claude-opus-5': of(5, 25, 0.5, 6.25),
  'claude-opus-5-5': of(4, 20, 0.2, 5),
  'claude-sonnet-4-5': of(3, 15, 0.3, 3.75),
  'claude-sonnet-4-6': of(3, 15, 0.3, 3.75),
  'claude-sonnet-5': of(2, 10, 0.2, 2.5),
  'gpt-5': of(1.25, 10, 0.125),
  'gpt-5-mini': of(0.25, 2, 0.025),
  'gpt-5.1': of(1.25, 10, 0.125),
  'gpt-5.2': of(1.75, 14, 0.175),
  'gpt-5.3-codex': of(1.75, 14, 0.175),
  'gpt-5.4': of(2.5, 15, 0.25),
  'gpt-5.4-mini': of(0.75, 4.5, 0.075),
  'gpt-5.5': of(5, 30, 0.5),
  'gpt-5.6-luna': of(0.2, 1.2, 0.02, 0.25),
  'gpt-5.6-sol': of(4, 20, 0.4, 5),
  'gpt-5.6-terra': of(2, 12, 0.2, 2.5),
  'gpt-6-astra': of(10, 50, 1, 12.5),
  'gpt-6-luna': of(0.1, 0.5, 0.01, 0.125),
  'gpt-6-sol': of(2, 10, 0.2, 2.5),
};

function namesOf(model: string): string[] {
  const bare = model.slice(model.lastIndexOf('/') + 1);
  const plain = bare.replace(/\[[^\]]*\]$/, '');
  return [model, bare, plain, plain.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '')];
}

export function findPrice(table: PriceTable, model: string): Price | null {
  const name = namesOf(model).find((candidate) => Object.hasOwn(table, candidate));
  return name === undefined ? null : (table[name] ?? null);
}

export function dollarsOf(price: Price, counts: TokenCounts): number {
  const { input, output, cacheRead, cacheWrite } = price;
  const millionths =
    counts.input * input +
    counts.output * output +
    counts.cacheRead * cacheRead +
    counts.cacheWrite * cacheWrite;
  return millionths / 1_000_000;
}
