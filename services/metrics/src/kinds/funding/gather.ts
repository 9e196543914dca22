import { decimalText, readDecimal } from '../../decimal';
import { asFailure, ExchangeFailure, malformed } from '../../exchange/failure';
import type { FundingRate } from '../../exchange/perpetuals';
import { readTime } from '../../exchange/read-time';
import type { Round, Row, Sink } from '../kind';

export interface FundingRow extends Row {
  symbol: string;
}

const STALE_MS = 60_000;

export async function gatherFunding(
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
