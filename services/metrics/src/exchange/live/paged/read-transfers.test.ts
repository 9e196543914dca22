import { createRegistry } from '@switchyard/server';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { readConfig } from '../../../config';
import { createExchange } from '../../create-exchange';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 31, 12);

describe.each(['binance', 'bybit', 'kraken', 'okx'])('the exchange %s', (id) => {
  it('reads all transfers with fees and states across several windows', async () => {
    const sim = await startExchangeSim({
      dialect: DIALECTS[id] as Dialect,
      seed: 7,
      now: () => NOW,
    });
    const time = (days: number) => NOW - days * DAY;
    const deposit = (of: number, days: number) => ({
      ...{
        id: `d${of}`,
        type: 'deposit' as const,
        asset: 'USDT',
        amount: '100.5',
        time: time(days),
      },
    });
    sim.account.transfers.push(
      deposit(999, 21),
      ...Array.from({ length: 60 }, (_, index) => deposit(index, 9 - index / 60)),
      { id: 'w0', type: 'withdrawal', asset: 'BTC', amount: '0.1', fee: '0.0005', time: time(3) },
      { ...deposit(60, 1), isPending: true },
    );
    const { transfers, until, isWhole, failures } = await read(id, sim);
    await sim.close();
    expect([until, isWhole, failures]).toEqual([NOW, true, []]);
    expect(transfers.map(({ transferId }) => transferId)).toEqual([
      ...Array.from({ length: 60 }, (_, index) => `d${index}`),
      'w0',
      'd60',
    ]);
    expect(transfers.at(-1)).toMatchObject({ type: 'deposit', status: 'pending', amount: '100.5' });
    expect(transfers.at(-2)).toEqual({
      ...{ transferId: 'w0', type: 'withdrawal', status: 'ok', asset: 'BTC', amount: '0.1' },
      ...{ fee: '0.0005', feeAsset: 'BTC', time: time(3) },
    });
  });

  it('omits and reports an unreadable transfer, and returns an `until` that is earlier than that transfer', async () => {
    const sim = await startExchangeSim({
      dialect: DIALECTS[id] as Dialect,
      seed: 7,
      now: () => NOW,
    });
    const deposit = { type: 'deposit' as const, asset: 'USDT' };
    const [before, odd, after] = [NOW - 3 * DAY, NOW - 2 * DAY, NOW - DAY];
    sim.account.transfers.push(
      { ...deposit, id: 'd1', amount: '1', time: before },
      { ...deposit, id: 'd2', amount: 'plenty', time: odd },
      { ...deposit, id: 'd3', amount: '3', time: after },
    );
    const { transfers, until, isWhole, failures } = await read(id, sim);
    await sim.close();
    expect(transfers.map(({ transferId }) => transferId)).toEqual(['d1', 'd3']);
    expect([until, isWhole]).toEqual([odd - 1, false]);
    expect(failures).toMatchObject([
      { code: 'malformed', target: 'transfers', message: expect.stringContaining('deposit d2') },
    ]);
  });
});

async function read(id: string, sim: ExchangeSim) {
  const exchange = exchangeOf(id, sim);
  const ask = exchange.transfers as NonNullable<typeof exchange.transfers>;
  return ask(NOW - 20 * DAY, AbortSignal.timeout(15_000)).finally(() => exchange.close());
}

function exchangeOf(id: string, { url, account }: ExchangeSim) {
  const { exchange, callTimeoutMs } = readConfig({
    DATABASE_URL: 'postgresql://u:p@127.0.0.1/none',
    EXCHANGE_MODE: 'live',
    EXCHANGE_ID: id,
    EXCHANGE_BASE_URL: url,
    EXCHANGE_API_KEY: account.apiKey,
    EXCHANGE_API_SECRET: account.secret,
    EXCHANGE_API_PASSWORD: account.password,
  });
  const clock = { now: () => new Date(NOW) };
  return createExchange({ config: exchange, callTimeoutMs, clock, registry: createRegistry() });
}
