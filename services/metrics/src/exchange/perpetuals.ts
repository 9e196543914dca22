import type { ExchangeFailure } from './failure';

/** What long positions of a perpetual pay to short ones, as the exchange says it, unchecked. */
export interface FundingRate {
  symbol: string;
  /** Share of the position's value; negative when short positions pay. */
  rate: unknown;
  markPrice: unknown;
  indexPrice: unknown;
  /** When the exchange said so. */
  time: number | null;
  /** When it is paid next. */
  paidAt: number | null;
}

/** An open position of a perpetual, unchecked. */
export interface Position {
  symbol: string;
  side: unknown;
  /** In the base asset, without a sign. */
  amount: unknown;
  entryPrice: unknown;
  markPrice: unknown;
  liquidationPrice: unknown;
  unrealisedPnl: unknown;
  initialMargin: unknown;
  maintenanceMargin: unknown;
  leverage: unknown;
  marginMode: unknown;
  time: number | null;
}

/** The part of an account that trades perpetuals. */
interface MarginAccount {
  positions: Position[];
  /** What is owned beside `Exchange.balance`, by asset, with unrealised profit. */
  balances: Record<string, unknown>;
  /** True when unrealised profit is in neither of them. */
  isProfitApart: boolean;
}

/** What was paid for holding a position at one time. */
export interface FundingPayment {
  paymentId: string;
  symbol: string;
  asset: string;
  /** Negative when it was paid, positive when it was received. */
  amount: string;
  time: number;
}

export interface PaymentsRead {
  payments: FundingPayment[];
  /** Name payments that were left out because they could not be read. */
  failures: ExchangeFailure[];
}

/**
 * Perpetuals of an exchange, those that settle in their quote asset. Every call throws an `ExchangeFailure` or
 * returns what the exchange said.
 */
export interface Perpetuals {
  /** One answer or failure for each symbol. */
  fundingRates(
    symbols: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, FundingRate | ExchangeFailure>>;
  /** Positions that settle in one of `assets`, and the margin behind them. */
  account(assets: readonly string[], signal: AbortSignal): Promise<MarginAccount>;
  /** From `since` on, a week at most, in order of time. */
  fundingPayments(symbol: string, since: number, signal: AbortSignal): Promise<PaymentsRead>;
}
