import {
  type Decimal,
  decimal,
  decimalText,
  optionalDecimalText,
  readDecimal,
} from '../../decimal';
import { asFailure, type ExchangeFailure, malformed } from '../../exchange/failure';
import type { FundingPayment, Position } from '../../exchange/perpetuals';
import { readTime } from '../../exchange/read-time';
import type { Resources } from '../../resources';
import type { Plan, Round, Row, Sink } from '../kind';
import { BRIDGES, loadPrices } from '../load-prices';
import { type MidPrices, priceOf } from '../price-assets';
import { needsAccount, needsPerpetuals } from '../skips';
import { storable } from '../storable';

interface PositionRow extends Row {
  symbol: string;
  side: string;
}

export interface ObservedMargin {
  positions: PositionRow[];
  balances: Map<string, Decimal>;
  profits: Map<string, Decimal>;
  isProfitApart: boolean;
  isWhole: boolean;
  payments: FundingPayment[];
  readUntil: Record<string, Date>;
  offsetMs: number;
  quote: string;
  prices: MidPrices;
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const OVERLAP_MS = DAY_MS;
const SAFETY_MS = 60_000;

export async function planPositions(resources: Resources): Promise<Plan<ObservedMargin>> {
  const { config, db, exchange } = resources;
  if (config.perpetuals.length === 0) return { gather: async () => undefined };
  const { rows } = await db.pool.query<Known>(KNOWN, [exchange.name]);
  return {
    skip: exchange.hasAccount ? needsPerpetuals(resources) : needsAccount(resources),
    gather: (round, sink) => gatherPositions(round, rows[0], sink),
  };
}

interface Known {
  read_until: Record<string, string>;
  unpriced: string[];
}

const KNOWN = `
  SELECT (SELECT coalesce(json_object_agg(symbol, read_until), '{}') FROM funding_progress WHERE exchange = $1) AS read_until,
    ARRAY(SELECT DISTINCT asset FROM funding_payment WHERE exchange = $1 AND value_in_quote IS NULL) AS unpriced`;

async function gatherPositions(
  round: Round,
  { read_until, unpriced }: Known = { read_until: {}, unpriced: [] },
  sink: Sink<ObservedMargin>,
): Promise<void> {
  const { clock, config, exchange, signal } = round;
  const { perpetuals } = exchange;
  const { quote } = config;
  if (!perpetuals) return;
  const account = await perpetuals.account(settledIn(config.perpetuals), signal);
  const failures: ExchangeFailure[] = [];
  const balances = new Map(
    readEach(
      Object.entries(account.balances),
      ([asset, total]) => [asset, numberOf(asset, total)] as const,
      failures,
    ),
  );
  const now = exchange.time();
  const read = readEach(account.positions, (position) => readPosition(position, now), failures);
  const profits = new Map<string, Decimal>();
  for (const { settle_asset, unrealised_pnl } of read) {
    const asset = String(settle_asset);
    profits.set(asset, (profits.get(asset) ?? decimal(0)).plus(String(unrealised_pnl)));
  }
  const symbols = [...new Set([...config.perpetuals, ...read.map(({ symbol }) => symbol)])];
  const weekAgo = exchange.time() - WEEK_MS + SAFETY_MS;
  const payments: FundingPayment[] = [];
  const readUntil: ObservedMargin['readUntil'] = {};
  await Promise.all(
    symbols.map(async (symbol) => {
      const last = read_until[symbol];
      const since = last === undefined ? weekAgo : Date.parse(last) - OVERLAP_MS;
      try {
        const paid = await perpetuals.fundingPayments(symbol, since, signal);
        payments.push(...paid.payments);
        sink.failures.push(...paid.failures);
        const unreadable = paid.failures.length === 0 ? 0 : WEEK_MS - OVERLAP_MS;
        readUntil[symbol] = new Date(paid.until - unreadable);
      } catch (error) {
        sink.failures.push(asFailure(error, symbol));
      }
    }),
  );
  const assets = [
    ...settledIn(read.map(({ symbol }) => symbol)),
    ...payments.map(({ asset }) => asset),
    ...unpriced,
  ];
  const prices = await loadPrices(round, [...new Set(assets)], quote);
  const value = (row: PositionRow) => ({ ...row, ...valued(row, prices, quote) });
  const positions = readEach(read, value, failures);
  const offsetMs = exchange.time() - clock.now().getTime();
  const { isProfitApart } = account;
  const isWhole = failures.length === 0;
  const margin = { positions, balances, profits, isProfitApart, isWhole };
  sink.rows.push({ ...margin, payments, readUntil, offsetMs, quote, prices });
  sink.failures.push(...failures);
}

function readEach<One, Read>(
  all: readonly One[],
  read: (one: One) => Read,
  failures: ExchangeFailure[],
): Read[] {
  return all.flatMap((one) => {
    try {
      return [read(one)];
    } catch (error) {
      failures.push(asFailure(error, 'perpetual_positions'));
      return [];
    }
  });
}

const settleOf = (symbol: string): string => symbol.split(':')[1] ?? '';
const settledIn = (symbols: readonly string[]): string[] => [...new Set(symbols.map(settleOf))];

function numberOf(target: string, value: unknown): Decimal {
  const read = readDecimal(value);
  if (!read) throw malformed(target, 'an amount is not a number');
  return read;
}

function readPosition({ symbol, side, time, ...said }: Position, now: number): PositionRow {
  const wanted = (value: unknown) => decimalText(numberOf(symbol, value));
  const optional = (value: unknown) => optionalDecimalText(readDecimal(value));
  if (side !== 'long' && side !== 'short')
    throw malformed(symbol, 'the position has no valid side');
  return {
    symbol,
    side,
    settle_asset: settleOf(symbol),
    amount: wanted(said.amount),
    entry_price: wanted(said.entryPrice),
    mark_price: wanted(said.markPrice),
    unrealised_pnl: wanted(said.unrealisedPnl),
    liquidation_price: optional(said.liquidationPrice),
    initial_margin: optional(said.initialMargin),
    maintenance_margin: optional(said.maintenanceMargin),
    leverage: optional(said.leverage),
    margin_mode: said.marginMode ? String(said.marginMode) : null,
    source_time: readTime(time && Math.min(time, now))?.toISOString() ?? null,
    stale: false,
  };
}

function valued(row: PositionRow, prices: MidPrices, quote: string): Row {
  const price = priceOf(String(row.settle_asset), quote, prices, BRIDGES)?.price;
  const value = decimal(String(row.amount)).times(String(row.mark_price));
  const inQuote = (column: string, amount: Decimal) =>
    price ? storable(row.symbol, column, price.times(amount)) : null;
  return {
    value_in_quote: inQuote('value_in_quote', value),
    unrealised_in_quote: inQuote('unrealised_in_quote', decimal(String(row.unrealised_pnl))),
  };
}
