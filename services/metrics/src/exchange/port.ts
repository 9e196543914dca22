import type { Decimal } from '../decimal';
import type { ExchangeFailure } from './failure';
import type { Perpetuals } from './perpetuals';

/** What is traded, and what prices and amounts of its orders must keep. */
export interface Market {
  symbol: string;
  base: string;
  quote: string;
  minAmount: string;
  minCost: string;
  /** How far apart two prices may be next to this one. */
  tickAt(price: Decimal): string;
  /** The nearest price that an order may have. */
  roundPrice(price: Decimal): Decimal;
  /** The largest amount not above this one that an order may have; zero when there is none. */
  cutAmount(amount: Decimal): Decimal;
}

export interface Ticker {
  symbol: string;
  time: number | null;
  last: unknown;
  bid: unknown;
  ask: unknown;
  open: unknown;
  high: unknown;
  low: unknown;
  baseVolume: unknown;
  quoteVolume: unknown;
}

export interface AssetBalance {
  free: unknown;
  used: unknown;
  total: unknown;
  /** The asset that one unit of it is worth, where it only stands for another one. */
  valuedAs?: string | undefined;
}

export interface Balance {
  accountType: string;
  assets: Record<string, AssetBalance>;
  /** True only when the exchange said something, so that nothing found means nothing owned. */
  provenEmpty: boolean;
}

export interface Candle {
  openTime: number;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
}

export interface OpenOrder {
  orderId: string;
  clientOrderId: string | null;
  side: 'buy' | 'sell';
  price: string;
  amount: string;
  /** Null where the exchange does not say. */
  filled: string | null;
}

/** An order that is open or was. */
export interface KnownOrder {
  /** Null when it was placed without one. */
  clientOrderId: string | null;
  /** Null for an order that is executed at the market. */
  price: string | null;
  /** How much of it was filled; null where the exchange does not say. */
  filled: string | null;
}

export interface ExchangeTrade {
  tradeId: string;
  orderId: string | null;
  clientOrderId: string | null;
  /** Of the order that was filled; absent while that is not known. */
  orderPrice?: string | null;
  side: 'buy' | 'sell';
  price: string;
  amount: string;
  fee: string;
  feeAsset: string | null;
  time: number;
}

export interface TradesRead {
  trades: ExchangeTrade[];
  /** All up to then are read: now, or less when there is too much for one reading. */
  until: number;
}

/** Money that came to the account or left it. */
export interface Transfer {
  /** Of its type, by the exchange. */
  transferId: string;
  type: 'deposit' | 'withdrawal';
  status: 'pending' | 'ok' | 'failed';
  asset: string;
  /** What arrived, or what was sent: a withdrawal's fee is taken beside it. */
  amount: string;
  fee: string;
  feeAsset: string | null;
  /** Milliseconds of the exchange's clock. */
  time: number;
}

export interface TransfersRead {
  transfers: Transfer[];
  /** Name transfers that were left out because they could not be read. */
  failures: ExchangeFailure[];
  /** All up to then are read, by the exchange's clock. */
  until: number;
  /** True when that is all that there are. */
  isWhole: boolean;
}

export type Timeframe = '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d';

export const TIMEFRAME_MS: Record<Timeframe, number> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

/** What a key may do beside reading. */
export interface KeyPermissions {
  trade: boolean;
  /** Withdraw, or move what is owned to another account. */
  withdraw: boolean;
  /** Null when the exchange does not say. */
  boundToAddress: boolean | null;
}

export interface KeyState {
  /** Null while that is not known. */
  permissions: KeyPermissions | null;
  checkedAt: number | null;
  /** Why this key must not be used. */
  problem: string | null;
  warnings: string[];
}

export interface ExchangeState {
  circuit: 'closed' | 'open' | 'half_open';
  openUntil: number | null;
  lastSuccessAt: number | null;
  consecutiveFailures: number;
  /** How far its clock is ahead of ours; null while that is not known. */
  clockOffsetMs: number | null;
  key: KeyState;
}

/** Of an exchange without a key. */
export const NO_KEY: KeyState = { permissions: null, checkedAt: null, problem: null, warnings: [] };

/** One grid's orders, as the simulated exchange takes them. */
export interface GridPlacement {
  gridId: string;
  symbol: string;
  prefix: string;
  levels: readonly string[];
  amount: string;
  feeRate: string;
}

/**
 * The exchange as the collector sees it. Every call throws an `ExchangeFailure` or returns what the
 * exchange said, unchecked: `read-*.ts` decide whether it makes sense.
 */
export interface Exchange {
  readonly name: string;
  readonly simulated: boolean;
  /** True when balance, orders and trades can be asked for. */
  readonly hasAccount: boolean;
  /** Asks what the key may do, when that is due; `state` says what came of it. Never throws. */
  checkKey(signal: AbortSignal): Promise<void>;
  market(symbol: string, signal: AbortSignal): Promise<Market>;
  /** Those of `symbols` that are listed here; an unknown one is left out. */
  markets(symbols: readonly string[], signal: AbortSignal): Promise<Map<string, Market>>;
  /** One answer or failure for each symbol, in the cheapest way that this exchange has. */
  tickers(
    symbols: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, Ticker | ExchangeFailure>>;
  balance(signal: AbortSignal): Promise<Balance>;
  /** The newest `limit` candles, the open one included. */
  candles(
    symbol: string,
    timeframe: Timeframe,
    limit: number,
    signal: AbortSignal,
  ): Promise<Candle[]>;
  /** At most `limit` candles that began at `since` or later; fewer, or none, where the exchange forgot them. */
  candlesSince(
    symbol: string,
    timeframe: Timeframe,
    since: number,
    limit: number,
    signal: AbortSignal,
  ): Promise<Candle[]>;
  openOrders(symbol: string, signal: AbortSignal): Promise<OpenOrder[]>;
  /** Own trades from `since` on, in order of time. */
  trades(symbol: string, since: number, signal: AbortSignal): Promise<TradesRead>;
  /** Deposits and withdrawals from `since` on, in order of time; absent where the exchange does not tell them. */
  transfers?(since: number, signal: AbortSignal): Promise<TransfersRead>;
  /** Null when the exchange forgot the order. */
  order(symbol: string, orderId: string, signal: AbortSignal): Promise<KnownOrder | null>;
  /** Null where there are none, or none that are read here. */
  readonly perpetuals: Perpetuals | null;
  /** The exchange's own idea of the time. */
  time(): number;
  /** How long after its end a candle may still change. */
  readonly candleGraceMs: number;
  state(): ExchangeState;
  /** Only the simulated exchange takes orders: the interface has no authentication. */
  placeGrid?(grid: GridPlacement): Promise<void>;
  cancelGrid?(gridId: string): Promise<void>;
  close(): Promise<void>;
}
