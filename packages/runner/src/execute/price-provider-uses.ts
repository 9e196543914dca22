import type { UsageReport } from '../agents/agent-adapter';
import { addTokens, NO_TOKENS, totalInput } from '../agents/coding-agents/streams/token-counts';
import type { ModelUse } from '../agents/coding-agents/tool-event';
import type { ProviderUse } from '../gateway/usage/provider-meter';

export interface PricedUses {
  price(use: ProviderUse): UsageReport;
  end(): void;
}

const ROUNDING = 1e-7;

/**
 * Prices each use. Rounds cents up per run, so that many small responses cost no more than their
 * sum.
 */
export function priceProviderUses({
  dollars,
  logLine,
}: {
  dollars(use: ModelUse): number | null;
  logLine(line: string): void;
}): PricedUses {
  const sums = new Map<string, ProviderUse>();
  let spent = 0;
  let pricedCents = 0;
  return {
    price: ({ provider, model, requested, counts }) => {
      const key = `${provider} ${model}`;
      const before = sums.get(key)?.counts ?? NO_TOKENS;
      sums.set(key, { provider, model, requested, counts: addTokens(before, counts) });
      const priceOf = (name: string) => dollars({ model: name, counts, dollars: null });
      const price = priceOf(model) ?? (requested === null ? null : priceOf(requested));
      spent += price ?? 0;
      const cents = Math.max(0, Math.ceil(spent * 100 - ROUNDING) - pricedCents);
      pricedCents += cents;
      return {
        provider,
        model,
        inputTokens: totalInput(counts),
        outputTokens: counts.output,
        costCents: price === null ? null : cents,
      };
    },
    end: () => {
      for (const { provider, model, counts } of sums.values()) {
        const tokens = `${totalInput(counts)} tokens in, ${counts.output} out`;
        logLine(`[usage] ${model}: ${tokens} (provider ${provider})\n`);
      }
    },
  };
}
