import { COLLECTED_TIMEFRAME } from '../../candles/timeframe';
import { asFailure } from '../../exchange/failure';
import type { Candle } from '../../exchange/port';
import { type Kind, type Round, type Sink, snapshotItem } from '../kind';
import { latestBySymbol, watchedSymbols } from '../latest-by-symbol';
import { type Analysis, analyze } from './analyze';
import { REGIME_LABELS } from './classify';
import { REGIME_TABLE, type RegimeRow, storeRegimes } from './store';

export const REGIME: Kind<RegimeRow> = {
  ...REGIME_TABLE,
  component: 'regime_analysis',
  readsCandles: true,
  plan: async () => ({ gather: gatherRegimes }),
  targetOf: ({ symbol }) => symbol,
  store: storeRegimes,
  dashboard: {
    field: 'regimes',
    item: snapshotItem,
    latest: async (resources, exchange) =>
      latestBySymbol(
        resources,
        REGIME_TABLE,
        exchange,
        await watchedSymbols(resources, exchange),
        `t.timeframe = '${COLLECTED_TIMEFRAME}'`,
      ),
  },
  gauges: REGIME_LABELS.map((label) => ({
    name: 'regime',
    help: 'One for the current label, zero for the others.',
    labels: { symbol: 't.symbol', label: `'${label}'` },
    value: `(t.label = '${label}')::int`,
  })),
};

async function gatherRegimes(
  { candlesOf, exchange, priced }: Round,
  sink: Sink<RegimeRow>,
): Promise<void> {
  await Promise.all(
    priced.map(async (symbol) => {
      try {
        const { closed, timeframe, failure } = await candlesOf(symbol);
        if (failure) sink.failures.push(failure);
        const analysis = known.get(closed) ?? analyze(closed, timeframe, exchange.time());
        known.set(closed, analysis);
        sink.rows.push({ symbol, timeframe, analysis });
      } catch (error) {
        sink.failures.push(asFailure(error, symbol));
      }
    }),
  );
}

const known = new WeakMap<readonly Candle[], Analysis>();
