import { setMaxListeners } from 'node:events';
import type { Backfill } from '../candles/backfill';
import { type CandleCache, type FetchedCandles, openCandles } from '../candles/candles';
import type { Timeframe } from '../exchange/port';
import type { Kind, Round, Sink } from '../kinds/kind';
import { KINDS } from '../kinds/kinds';
import { readAccount, type SeenAccount } from '../reconciliation/read-account';
import type { Resources } from '../resources';
import type { Components } from './collect-contract';
import { NOT_RUN, type Outcome, runComponent } from './run-component';

export interface Wanted {
  kinds: readonly Kind[];
  symbols: readonly string[];
  timeframe: Timeframe;
}

export interface Gathered {
  seen: ReadonlyMap<Kind, readonly unknown[]>;
  candles: readonly FetchedCandles[];
  components: Components;
  account?: SeenAccount | null;
}

/**
 * Reads all kinds concurrently within the component timeout. If `backfill` is given, then reads
 * candles that are missing after an outage. Failures of the exchange are part of the result; throws
 * only if the database does not respond.
 */
export async function gather(
  resources: Resources & { candles: CandleCache; backfill?: Backfill },
  wanted: Wanted,
  deadline: AbortSignal,
): Promise<Gathered> {
  const plans = await Promise.all(
    wanted.kinds.map(async (kind) => ({ kind, plan: await kind.plan(resources) })),
  );
  const { componentTimeoutMs } = resources.config;
  const signal = AbortSignal.any([deadline, AbortSignal.timeout(componentTimeoutMs)]);
  setMaxListeners(0, signal);
  const startedAt = resources.exchange.time();
  const outcomes = new Map<Kind, Promise<Outcome>>();
  const { symbols, timeframe } = wanted;
  const priced = [...new Set([...symbols, ...plans.flatMap(({ plan }) => plan.symbols ?? [])])];
  const load = openCandles(resources, resources.candles, { symbols: priced, timeframe }, signal);
  const arrived: FetchedCandles[] = [];
  const round: Round = {
    ...resources,
    signal,
    symbols,
    priced,
    candlesOf: async (symbol) => {
      const loaded = await load(symbol);
      arrived.push(loaded);
      return loaded;
    },
    seen: async <Seen>(kind: Kind<Seen>) =>
      ((await outcomes.get(kind as Kind))?.rows ?? []) as Seen[],
  };
  const listed = Promise.resolve();
  for (const { kind, plan } of plans) {
    const { component: name } = kind;
    const { skip } = plan;
    const run = (sink: Sink<unknown>) => plan.gather(round, sink);
    const begin = () => runComponent({ name, skip, run }, signal, resources.logger);
    outcomes.set(kind, listed.then(begin));
  }
  const seen = new Map<Kind, readonly unknown[]>();
  const components: Components = {};
  for (const kind of KINDS) {
    const outcome = await outcomes.get(kind);
    components[kind.component] = outcome?.result ?? { ...NOT_RUN };
    if (outcome) seen.set(kind, outcome.rows);
  }
  const candles = [...arrived];
  if (!resources.backfill) return { seen, candles, components };
  const account = await readAccount(round, startedAt);
  candles.push(...(await resources.backfill(candles, signal)));
  return { seen, candles, components, account };
}
