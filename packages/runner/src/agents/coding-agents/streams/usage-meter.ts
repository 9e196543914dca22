import type { CountedUse, TokenCounts, UsageReport } from '../../agent-adapter';
import type { ModelUse } from '../tool-event';
import { addTokens, NO_TOKENS, totalInput } from './token-counts';

export interface UsageMeter {
  add(use: ModelUse): void;
  total(uses: ModelUse[], counted?: CountedUse): void;
  end(): void;
}

export interface MeterOptions {
  provider(model: string): string;
  dollars(use: ModelUse): number | null;
  report(usage: UsageReport): void;
}

/** Reports costs during the run, so that a budget can stop a long run. */
const REPORT_EVERY_CENTS = 10;
const ROUNDING = 1e-7;

interface Meter {
  counts: TokenCounts;
  dollars: number | null;
  reported: { input: number; output: number; cents: number };
}

const nothingReported = () => ({ input: 0, output: 0, cents: 0 });

/**
 * Converts usage into cost events in integer cents, rounded up once per run. Reports whole cents
 * during the run, and the rest at the end.
 */
export function createUsageMeter({ provider, dollars, report }: MeterOptions): UsageMeter {
  let models = new Map<string, Meter>();
  let counted: CountedUse | undefined;

  const meterOf = (model: string): Meter => {
    const known = models.get(model);
    if (known) return known;
    const fresh: Meter = { counts: NO_TOKENS, dollars: 0, reported: nothingReported() };
    models.set(model, fresh);
    return fresh;
  };

  const reportUse = (
    model: string,
    meter: Meter,
    cents: number | null,
    mark?: CountedUse,
  ): void => {
    const { reported } = meter;
    const inputTokens = Math.max(0, totalInput(meter.counts) - reported.input);
    const outputTokens = Math.max(0, meter.counts.output - reported.output);
    const costCents = cents === null ? null : Math.max(0, cents - reported.cents);
    if (inputTokens + outputTokens === 0 && !costCents) return;
    reported.input += inputTokens;
    reported.output += outputTokens;
    reported.cents += costCents ?? 0;
    report({
      provider: provider(model),
      model,
      inputTokens,
      outputTokens,
      costCents,
      ...(mark && { counted: mark }),
    });
  };

  const put = (meter: Meter, use: ModelUse): void => {
    const price = dollars(use);
    meter.counts = addTokens(meter.counts, use.counts);
    meter.dollars = price === null || meter.dollars === null ? null : meter.dollars + price;
  };

  return {
    add(use) {
      const meter = meterOf(use.model);
      put(meter, use);
      if (meter.dollars === null) return;
      const cents = Math.floor(meter.dollars * 100 + ROUNDING);
      if (cents - meter.reported.cents >= REPORT_EVERY_CENTS) reportUse(use.model, meter, cents);
    },
    total(uses, mark) {
      const before = models;
      models = new Map();
      for (const use of uses) {
        const meter = meterOf(use.model);
        meter.reported = { ...(before.get(use.model)?.reported ?? meter.reported) };
        put(meter, use);
      }
      const first = models.values().next().value;
      for (const [model, { reported }] of before) {
        if (!first || models.has(model)) continue;
        const { input, output, cents } = first.reported;
        first.reported = {
          input: input + reported.input,
          output: output + reported.output,
          cents: cents + reported.cents,
        };
      }
      counted = mark;
    },
    end() {
      let sum = 0;
      let cents = 0;
      for (const [model, meter] of models) {
        if (meter.dollars === null) {
          reportUse(model, meter, null, counted);
          continue;
        }
        sum += meter.dollars;
        const own = Math.ceil(sum * 100 - ROUNDING) - cents;
        cents += own;
        reportUse(model, meter, own, counted);
      }
      models = new Map();
    },
  };
}
