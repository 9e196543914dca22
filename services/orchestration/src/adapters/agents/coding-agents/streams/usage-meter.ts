import type { CountedUse, TokenCounts, UsageReport } from '../../agent-adapter';
import type { ModelUse } from '../tool-event';
import { addTokens, NO_TOKENS, totalInput } from './token-counts';

export interface UsageMeter {
  add(use: ModelUse): void;
  /** Replaces everything added so far. */
  total(uses: ModelUse[], counted?: CountedUse): void;
  end(): void;
}

export interface MeterOptions {
  provider(model: string): string;
  /** Null if unknown. */
  dollars(use: ModelUse): number | null;
  report(usage: UsageReport): void;
}

/** Reports spend before the tool has ended, so that a budget can stop a long run. */
const REPORT_EVERY_CENTS = 10;
/** Below floating point error, so that a whole cent does not become two. */
const ROUNDING = 1e-7;

interface Meter {
  counts: TokenCounts;
  dollars: number | null;
  told: { input: number; output: number; cents: number };
}

const untold = () => ({ input: 0, output: 0, cents: 0 });

/**
 * Turns use into cost events of integer cents, rounded up once per run. Reports whole cents while
 * running and the rest at the end.
 */
export function createUsageMeter({ provider, dollars, report }: MeterOptions): UsageMeter {
  let models = new Map<string, Meter>();
  let counted: CountedUse | undefined;

  const meterOf = (model: string): Meter => {
    const known = models.get(model);
    if (known) return known;
    const fresh: Meter = { counts: NO_TOKENS, dollars: 0, told: untold() };
    models.set(model, fresh);
    return fresh;
  };

  const tell = (model: string, meter: Meter, cents: number | null, mark?: CountedUse): void => {
    const { told } = meter;
    const inputTokens = Math.max(0, totalInput(meter.counts) - told.input);
    const outputTokens = Math.max(0, meter.counts.output - told.output);
    const costCents = cents === null ? null : Math.max(0, cents - told.cents);
    if (inputTokens + outputTokens === 0 && !costCents) return;
    told.input += inputTokens;
    told.output += outputTokens;
    told.cents += costCents ?? 0;
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
      if (cents - meter.told.cents >= REPORT_EVERY_CENTS) tell(use.model, meter, cents);
    },
    total(uses, mark) {
      const before = models;
      models = new Map();
      for (const use of uses) {
        const meter = meterOf(use.model);
        meter.told = { ...(before.get(use.model)?.told ?? meter.told) };
        put(meter, use);
      }
      // Report a name that only the parts had only once, under the name of the total.
      const first = models.values().next().value;
      for (const [model, { told }] of before) {
        if (!first || models.has(model)) continue;
        const { input, output, cents } = first.told;
        first.told = {
          input: input + told.input,
          output: output + told.output,
          cents: cents + told.cents,
        };
      }
      counted = mark;
    },
    end() {
      let sum = 0;
      let cents = 0;
      for (const [model, meter] of models) {
        if (meter.dollars === null) {
          tell(model, meter, null, counted);
          continue;
        }
        sum += meter.dollars;
        const own = Math.ceil(sum * 100 - ROUNDING) - cents;
        cents += own;
        tell(model, meter, own, counted);
      }
      models = new Map();
    },
  };
}
