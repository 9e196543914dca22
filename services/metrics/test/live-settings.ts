import type { ExchangeSim } from '@switchyard/testing/exchange-sim/server';

export const liveSettings = ({ account, url }: ExchangeSim, id = 'binance') => ({
  EXCHANGE_MODE: 'live',
  EXCHANGE_ID: id,
  EXCHANGE_BASE_URL: url,
  EXCHANGE_API_KEY: account.apiKey,
  EXCHANGE_API_SECRET: account.secret,
});
