import type { Decimal } from '../decimal';
import type { ExchangeFailure } from './failure';
import type { Perpetuals } from './perpetuals';

export interface Market {
  symbol: string;
  base: string;
  quote: string;
  minAmount: string;
  minCost: string;
  tickAt(price: Decimal): string;
  roundPrice(price: Decimal): Decimal;
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
  valuedAs?: string | undefined;
}

export interface Balance {
  accountType: string;
  assets: Record<string, AssetBalance>;
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
  filled: string | null;
}

export interface KnownOrder {
  clientOrderId: string | null;
  price: string | null;
  filled: string | null;
}

export interface ExchangeTrade {
  tradeId: string;
  orderId: string | null;
  clientOrderId: string | null;
  orderPrice?: string | null;
  side: 'buy' | 'sell';
  price: string;
  amount: string;
  fee: string;
  feeAsset: string | null;
  isMaker?: boolean | null;
  time: number;
}

export interface TradesRead {
  trades: ExchangeTrade[];
  until: number;
}

export interface Transfer {
  transferId: string;
  type: 'deposit' | 'withdrawal';
  status: 'pending' | 'ok' | 'failed';
  asset: string;
  amount: string;
  fee: string;
  feeAsset: string | null;
  time: number;
}

export interface TransfersRead {
  transfers: Transfer[];
  failures: ExchangeFailure[];
  until: number;
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

export interface KeyPermissions {
  trade: boolean;
  withdraw: boolean;
  boundToAddress: boolean | null;
}

export interface KeyState {
  permissions: KeyPermissions | null;
  checkedAt: number | null;
  problem: string | null;
  warnings: string[];
}

export interface ExchangeState {
  circuit: 'closed' | 'open' | 'half_open';
  openUntil: number | null;
  lastSuccessAt: number | null;
  consecutiveFailures: number;
  clockOffsetMs: number | null;
  key: KeyState;
}

export const NO_KEY: KeyState = { permissions: null, checkedAt: null, problem: null, warnings: [] };

export interface GridPlacement {
  gridId: string;
  symbol: string;
  prefix: string;
  levels: readonly string[];
  amount: string;
  feeRate: string;
}

/**
 * The exchange as the collector uses it. Each call throws an `ExchangeFailure` or returns unchecked
 * values; the functions in `read-*.ts` check them.
 */
export interface Exchange {
  readonly name: string;
  readonly simulated: boolean;
  readonly hasAccount: boolean;
  checkKey(signal: AbortSignal): Promise<void>;
  markets(symbols: readonly string[], signal: AbortSignal): Promise<Map<string, Market>>;
  tickers(
    symbols: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, Ticker | ExchangeFailure>>;
  balance(signal: AbortSignal): Promise<Balance>;
  /** Returns the newest candles, or those from `since` on. */
  candles(
    symbol: string,
    timeframe: Timeframe,
    page: { limit: number; since?: number },
    signal: AbortSignal,
  ): Promise<Candle[]>;
  openOrders(symbol: string, signal: AbortSignal): Promise<OpenOrder[]>;
  trades(symbol: string, since: number, signal: AbortSignal): Promise<TradesRead>;
  transfers?(since: number, signal: AbortSignal): Promise<TransfersRead>;
  order(symbol: string, orderId: string, signal: AbortSignal): Promise<KnownOrder | null>;
  readonly perpetuals: Perpetuals | null;
  time(): number;
  readonly candleGraceMs: number;
  state(): ExchangeState;
  /**
   * Only the simulated exchange has these methods, because the API has no authentication by
   * default.
   */
  placeGrid?(grid: GridPlacement): Promise<void>;
  cancelGrid?(gridId: string): Promise<void>;
  close(): Promise<void>;
}
