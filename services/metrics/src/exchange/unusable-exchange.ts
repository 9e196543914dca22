import { ExchangeFailure } from './failure';
import { type Exchange, NO_KEY } from './port';

export function createUnusableExchange(name: string, now: () => number): Exchange {
  const refuse = async (): Promise<never> => {
    throw new ExchangeFailure('permission', name, 'the exchange is not configured');
  };
  return {
    name,
    simulated: false,
    hasAccount: false,
    checkKey: async () => undefined,
    market: refuse,
    markets: refuse,
    tickers: refuse,
    balance: refuse,
    candles: refuse,
    candlesSince: refuse,
    openOrders: refuse,
    trades: refuse,
    order: refuse,
    perpetuals: null,
    time: now,
    candleGraceMs: 0,
    state: () => ({
      circuit: 'closed',
      openUntil: null,
      lastSuccessAt: null,
      consecutiveFailures: 0,
      clockOffsetMs: null,
      key: NO_KEY,
    }),
    close: async () => undefined,
  };
}
