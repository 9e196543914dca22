import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import { DIALECTS, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { createLiveExchange } from '../live-exchange';
import { readTrades } from './read-trades';

const FILL = {
  ...{ symbol: 'BTC/USDT', side: 'buy' as const, price: '60000', amount: '0.01', fee: '0' },
  feeAsset: 'USDT',
};

it.each(Object.keys(DIALECTS))(
  'trades of %s have isMaker true for a maker and false for a taker',
  async (id) => {
    const sim = await startExchangeSim({ dialect: DIALECTS[id] as Dialect, seed: 7 });
    const { apiKey, secret, password } = sim.account;
    const time = Date.now() - 60_000;
    sim.account.trades.push(
      { ...FILL, id: '101', orderId: '11', time },
      { ...FILL, id: '102', orderId: '12', time: time + 1_000, isMaker: false },
    );
    const exchange = createLiveExchange({
      config: {
        mode: 'live',
        ...{ id, apiKey, secret, password, baseUrl: sim.url, isTestnet: false, rateLimit: false },
      },
      withPerpetuals: false,
      ...{ timeoutMs: 20_000, now: Date.now, observe: () => undefined },
    });
    const read = await exchange.trades('BTC/USDT', time - 1_000, AbortSignal.timeout(60_000));
    await sim.close();
    expect(read.trades.map(({ isMaker }) => isMaker)).toEqual([true, false]);
  },
);

it('a trade of Binance with an invalid isMaker has isMaker null', async () => {
  const raw = { ...FILL, id: '1', order: '2', timestamp: 1_500, takerOrMaker: 'taker' };
  const row = { ...raw, fee: { cost: '0', currency: 'USDT' }, info: { isMaker: null } };
  const source = { id: 'binance', fetchMyTrades: async () => [row] } as never;
  const span = { since: 1_000, until: 2_000 };
  const { trades } = await readTrades(source, 'BTC/USDT', span, (ask) => ask());
  expect(trades.map(({ isMaker }) => isMaker)).toEqual([null]);
});
