import type { AdapterRun } from '../../adapters/agents/agent-adapter';
import {
  createUsageMeter,
  type MeterOptions,
} from '../../adapters/agents/coding-agents/streams/usage-meter';
import type { ProviderUse } from '../gateway/usage/provider-uses';

export interface Counted {
  /** In place of the run's own. */
  onUsage: AdapterRun<unknown>['onUsage'];
  /** Reports what the gateway read. */
  end(): void;
}

/**
 * Counts a run's use once, by who pays. What went over a key of the operator's is what the gateway read in the provider's
 * answers: a run's own report of that provider is not booked, so that an agent cannot report less. Its reports of other
 * providers are.
 */
export function countOnce({
  uses,
  dollars,
  report,
  say,
}: {
  uses(): ProviderUse[];
  dollars: MeterOptions['dollars'];
  report: AdapterRun<unknown>['onUsage'];
  say(line: string): void;
}): Counted {
  return {
    onUsage: (usage) => {
      if (!uses().some(({ provider }) => provider === usage.provider)) report(usage);
    },
    end: () => {
      const all = uses();
      for (const provider of new Set(all.map((use) => use.provider))) {
        const meter = createUsageMeter({
          provider: () => provider,
          dollars,
          report: (usage) => {
            const { model, inputTokens, outputTokens } = usage;
            say(
              `[usage] ${model}: ${inputTokens} tokens in, ${outputTokens} out, as ${provider} says\n`,
            );
            report(usage);
          },
        });
        for (const { model, counts } of all.filter((use) => use.provider === provider)) {
          meter.add({ model, counts, dollars: null });
        }
        meter.end();
      }
    },
  };
}
