import { decimalText, readDecimal } from '../../decimal';
import { asFailure, ExchangeFailure, malformed } from '../../exchange/failure';
import type { FundingRate } from '../../exchange/perpetuals';
import { readTime } from '../../exchange/read-time';
import { insertRows } from '../insert-rows';
import {
  columnMeasures,
  type HistoryTable,
  type Kind,
  type Round,
  type Row,
  type Sink,
  snapshotItem,
} from '../kind';
import { latestBySymbol } from '../latest-by-symbol';
import { needsPerpetuals } from '../skips';

export const FUNDING_TABLE: HistoryTable = {
  name: 'funding',
  table: 'funding_snapshot',
  time: 'captured_at',
  key: 't.symbol',
  filters: ['symbol'],
  ofKey: { symbol: 'key' },
  decimals: ['rate', 'mark_price', 'index_price'],
  measures: columnMeasures('rate', 'mark_price', 'index_price'),
  presence: ['rate'],
  ofSeries: () => 't.symbol = $1',
  named: (symbol) => ({ symbol }),
};

export const FUNDING: Kind<FundingRow> = {
  ...FUNDING_TABLE,
  component: 'funding_rates',
  plan: async (resources) => ({ skip: needsPerpetuals(resources), gather: gatherFunding }),
  targetOf: ({ symbol }) => symbol,
  store: async (storing, seen) => {
    await insertRows(storing, FUNDING_TABLE.table, seen);
    return seen.map(({ symbol }) => symbol);
  },
  dashboard: {
    field: 'funding',
    item: snapshotItem,
    table: {
      title: 'Funding',
      columns: { symbol: 'Perpetual', rate: 'Rate', mark_price: 'Mark', funding_at: 'Paid at' },
    },
    latest: (resources, exchange) =>
      latestBySymbol(resources, FUNDING_TABLE, exchange, resources.config.perpetuals),
  },
  gauges: [
    {
      name: 'funding_rate',
      help: 'Share of a position that longs pay to shorts at the next payment; negative when shorts pay.',
      labels: { symbol: 't.symbol' },
      value: 't.rate',
    },
  ],
};

interface FundingRow extends Row {
  symbol: string;
}

const STALE_MS = 60_000;

async function gatherFunding(
  { config, exchange, signal }: Round,
  sink: Sink<FundingRow>,
): Promise<void> {
  const { perpetuals: symbols } = config;
  if (symbols.length === 0 || !exchange.perpetuals) return;
  const rates = await exchange.perpetuals.fundingRates(symbols, signal);
  for (const symbol of symbols) {
    try {
      const rate =
        rates.get(symbol) ?? malformed(symbol, 'the answer has no funding rate for this symbol');
      if (rate instanceof ExchangeFailure) throw rate;
      sink.rows.push(rowOf(rate, exchange.time()));
    } catch (error) {
      sink.failures.push(asFailure(error, symbol));
    }
  }
}

function rowOf({ symbol, time, paidAt, ...said }: FundingRate, now: number): FundingRow {
  const rate = readDecimal(said.rate);
  if (!rate || rate.abs().gt(1))
    throw malformed(symbol, 'the funding rate is missing or above 100 %');
  const price = (value: unknown) => {
    const read = readDecimal(value);
    return read?.gt(0) ? decimalText(read) : null;
  };
  return {
    symbol,
    rate: decimalText(rate),
    mark_price: price(said.markPrice),
    index_price: price(said.indexPrice),
    funding_at: readTime(paidAt)?.toISOString() ?? null,
    source_time: readTime(time)?.toISOString() ?? null,
    stale: time !== null && now - time > STALE_MS,
  };
}
