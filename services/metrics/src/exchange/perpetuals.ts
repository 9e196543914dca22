import type { ExchangeFailure } from './failure';

export interface FundingRate {
  symbol: string;
  rate: unknown;
  markPrice: unknown;
  indexPrice: unknown;
  time: number | null;
  paidAt: number | null;
}

export interface Position {
  symbol: string;
  side: unknown;
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

interface MarginAccount {
  positions: Position[];
  balances: Record<string, unknown>;
  isProfitApart: boolean;
}

export interface FundingPayment {
  paymentId: string;
  symbol: string;
  asset: string;
  amount: string;
  time: number;
}

export interface PaymentsRead {
  payments: FundingPayment[];
  failures: ExchangeFailure[];
  until: number;
}

export interface Perpetuals {
  fundingRates(
    symbols: readonly string[],
    signal: AbortSignal,
  ): Promise<Map<string, FundingRate | ExchangeFailure>>;
  account(assets: readonly string[], signal: AbortSignal): Promise<MarginAccount>;
  fundingPayments(symbol: string, since: number, signal: AbortSignal): Promise<PaymentsRead>;
}
