import type { AdapterRun } from '../../adapters/agents/agent-adapter';
import {
  createUsageMeter,
  type MeterOptions,
} from '../../adapters/agents/coding-agents/streams/usage-meter';
import type { ProviderUse } from '../gateway/usage/provider-uses';

export interface Counted {
  /** In place of the run's own, so that it is known whether the tool reports. */
  onUsage: AdapterRun<unknown>['onUsage'];
  /** Reports what the gateway read, when the tool has reported nothing. */
  end(): void;
}

/**
 * Counts a run's use once. What its tool or program reports counts, since it knows more: prices, sub-agents, what
 * it used elsewhere. Of a run that reports nothing at all, what the gateway read in the providers' answers does.
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
  let isReported = false;
  return {
    onUsage: (usage) => {
      // A line that could not be read tells of no use that the gateway would count again.
      const { inputTokens, outputTokens, costCents } = usage;
      isReported ||= inputTokens + outputTokens > 0 || costCents !== null;
      report(usage);
    },
    end: () => {
      if (isReported) return;
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
