import type { UsageReport } from '../../adapters/agents/agent-adapter';
import {
  addTokens,
  NO_TOKENS,
  totalInput,
} from '../../adapters/agents/coding-agents/streams/token-counts';
import type { ModelUse } from '../../adapters/agents/coding-agents/tool-event';
import type { ProviderUse } from '../gateway/usage/provider-meter';

export interface BookedUses {
  book(use: ProviderUse): void;
  end(): void;
}

/** Below floating point error, so that a whole cent does not become two. */
const ROUNDING = 1e-7;

/**
 * Books each use as a cost event. Cents are rounded up per run, so that many small answers cost no
 * more than their sum.
 */
export function bookProviderUses({
  dollars,
  report,
  say,
}: {
  /** Null if unknown. */
  dollars(use: ModelUse): number | null;
  report(usage: UsageReport): void;
  say(line: string): void;
}): BookedUses {
  const sums = new Map<string, ProviderUse>();
  let spent = 0;
  let bookedCents = 0;
  return {
    book: ({ provider, model, asked, counts }) => {
      const key = `${provider} ${model}`;
      const before = sums.get(key)?.counts ?? NO_TOKENS;
      sums.set(key, { provider, model, asked, counts: addTokens(before, counts) });
      const priceOf = (name: string) => dollars({ model: name, counts, dollars: null });
      const price = priceOf(model) ?? (asked === null ? null : priceOf(asked));
      spent += price ?? 0;
      const cents = Math.max(0, Math.ceil(spent * 100 - ROUNDING) - bookedCents);
      bookedCents += cents;
      report({
        provider,
        model,
        inputTokens: totalInput(counts),
        outputTokens: counts.output,
        costCents: price === null ? null : cents,
      });
    },
    end: () => {
      for (const { provider, model, counts } of sums.values()) {
        const tokens = `${totalInput(counts)} tokens in, ${counts.output} out`;
        say(`[usage] ${model}: ${tokens} (provider ${provider})\n`);
      }
    },
  };
}
