import { asFailure, ExchangeFailure } from '../../exchange/failure';
import { type Quote, readTicker } from '../../exchange/read-ticker';
import { insertRows } from '../insert-rows';
import {
  columnMeasures,
  type HistoryTable,
  type Kind,
  type Round,
  type Sink,
  type Storing,
  snapshotItem,
} from '../kind';
import { latestBySymbol, watchedSymbols } from '../latest-by-symbol';
import { createSuspicion } from './suspect';

const MARKET_TABLE: HistoryTable = {
  name: 'market',
  table: 'market_snapshot',
  time: 'captured_at',
  key: 't.symbol',
  filters: ['symbol'],
  ofKey: { symbol: 'key' },
  decimals: [
    ...['last', 'bid', 'ask', 'mid', 'spread_abs', 'open_24h', 'high_24h', 'low_24h'],
    ...['base_volume_24h', 'quote_volume_24h'],
  ],
  measures: columnMeasures('last', 'bid', 'ask', 'mid', 'spread_bps'),
  presence: ['last'],
  ofSeries: () => 't.symbol = $1',
  named: (symbol) => ({ symbol }),
};

const labels = { symbol: 't.symbol' };

export const MARKET: Kind<Quote> = {
  ...MARKET_TABLE,
  component: 'market_data',
  plan: async () => ({ gather: gatherMarkets }),
  targetOf: ({ symbol }) => symbol,
  store: storeMarkets,
  dashboard: {
    field: 'markets',
    item: snapshotItem,
    latest: async (resources, exchange) =>
      latestBySymbol(resources, MARKET_TABLE, exchange, await watchedSymbols(resources, exchange)),
  },
  gauges: [
    { name: 'market_last_price', help: 'Last price.', labels, value: 't.last' },
    {
      name: 'market_spread_bps',
      help: 'Spread in basis points of the mid price.',
      labels,
      value: 't.spread_bps',
    },
  ],
};

async function storeMarkets(storing: Storing, seen: readonly Quote[]): Promise<string[]> {
  const last = new Map(
    storing.candles.flatMap(({ symbol, timeframe, closed }) => {
      const candle = closed.at(-1);
      if (!candle) return [];
      const { openTime, ...prices } = candle;
      return [[symbol, { ...prices, timeframe, open_time: new Date(openTime).toISOString() }]];
    }),
  );
  const rows = seen.map((row) => ({ ...row, candle: last.get(row.symbol) ?? null }));
  await insertRows(storing, MARKET_TABLE.table, rows);
  return rows.map(({ symbol }) => symbol);
}

async function gatherMarkets(round: Round, sink: Sink<Quote>): Promise<void> {
  const { exchange, priced, signal } = round;
  const [tickers, suspicionOf] = await Promise.all([
    exchange.tickers(priced, signal),
    createSuspicion(round, priced),
  ]);
  const now = exchange.time();
  for (const symbol of priced) {
    const ticker =
      tickers.get(symbol) ??
      new ExchangeFailure('malformed', symbol, 'the answer has no ticker for this symbol');
    try {
      if (ticker instanceof ExchangeFailure) throw ticker;
      const quote = readTicker(ticker, now);
      const suspicion = suspicionOf(quote);
      if (suspicion) throw suspicion;
      sink.rows.push(quote);
    } catch (error) {
      sink.failures.push(asFailure(error, symbol));
    }
  }
}
