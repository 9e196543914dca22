import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExchangeSim } from '@switchyard/testing/exchange-sim/server';

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
