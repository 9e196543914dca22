import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { ACCOUNT_TIMEOUTS, createAccountFiles } from './account-files';

export interface TwoAccounts {
  main: ExchangeSim;
  second: ExchangeSim;
  env(...more: object[]): Record<string, string>;
}

export function useTwoAccounts({
  now,
  seeds = { main: 7, second: 7 },
}: {
  now?: () => number;
  seeds?: { main: number; second: number };
} = {}): TwoAccounts {
  const { entry, listing } = createAccountFiles();
  const start = (seed: number) =>
    startExchangeSim({ dialect: DIALECTS.binance as Dialect, seed, ...(now && { now }) });
  const accounts = {} as TwoAccounts;
  beforeAll(async () => {
    accounts.main = await start(seeds.main);
    accounts.second = await start(seeds.second);
  });
  afterAll(async () => {
    await accounts.main.close();
    await accounts.second.close();
  });
  accounts.env = (...more) => {
    const { main, second } = accounts;
    const file = listing(entry('main', main), entry('second', second), ...more);
    return { ...ACCOUNT_TIMEOUTS, METRICS_ACCOUNTS: file };
  };
  return accounts;
}
