import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { TESTED_EXCHANGES } from './config';

const PROGRAM = join(__dirname, '../../dist/bin/check-exchange.js');

describe.each(TESTED_EXCHANGES)('check-exchange with %s', (id) => {
  let sim: ExchangeSim;
  beforeAll(async () => {
    sim = await startExchangeSim({ dialect: DIALECTS[id] as Dialect, seed: 7 });
  });
  afterAll(() => sim.close());

  const check = async () => {
    const { apiKey, secret, password } = sim.account;
    const env = {
      PATH: process.env.PATH,
      EXCHANGE_MODE: 'live',
      EXCHANGE_ID: id,
      EXCHANGE_BASE_URL: sim.url,
      EXCHANGE_API_KEY: apiKey,
      EXCHANGE_API_SECRET: secret,
      EXCHANGE_API_PASSWORD: password,
      METRICS_COLLECTION_TIMEOUT_MS: '190000',
    };
    const run = promisify(execFile)(process.execPath, [PROGRAM], { env });
    const { stdout, code } = await run.then(
      ({ stdout }) => ({ stdout, code: 0 }),
      (error: { stdout: string; code: number }) => error,
    );
    for (const hidden of [apiKey, secret, password]) expect(stdout).not.toContain(hidden);
    return { stdout, code };
  };

  it('prints the result of each read without printing a key', async () => {
    const { stdout, code } = await check();
    expect(stdout).toMatch(/^\+ markets +BTC\/USDT, ETH\/USDT, SOL\/USDT are listed$/m);
    expect(stdout).toMatch(/^\+ clock +-?\d+ ms ahead/m);
    expect(stdout).toMatch(/^\+ candles +\d{3} closed of BTC\/USDT$/m);
    expect(stdout).toMatch(/^\+ key +may read$/m);
    expect(stdout).toMatch(/^\+ balance +3 assets: /m);
    expect(stdout).toMatch(/^\+ fills +0 of BTC\/USDT in a day$/m);
    expect([code, stdout.includes('!')]).toEqual([0, false]);
  });

  it('exits with 1 for a key that can withdraw', async () => {
    sim.account.permissions.withdraw = true;
    const { stdout, code } = await check();
    expect([code, /^! key +the API key may withdraw/m.test(stdout)]).toEqual([1, true]);
  });
});
