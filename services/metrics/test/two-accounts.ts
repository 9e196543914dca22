import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';

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

export function createAccountFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  return {
    write,
    listing: (...accounts: object[]) => write('accounts.json', JSON.stringify({ accounts })),
    entry: (name: string, { account, url }: ExchangeSim) => ({
      ...{ name, exchange: 'binance', base_url: url, symbols: ['BTC/USDT'] },
      api_key_file: write(`${name}.key`, `${account.apiKey}\n`),
      api_secret_file: write(`${name}.secret`, account.secret),
    }),
  };
}

export const ACCOUNT_TIMEOUTS = {
  METRICS_COLLECTION_TIMEOUT_MS: '190000',
};
