import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import type { LiveExchangeConfig } from '../config';
import type { Exchange } from '../port';
import { createLiveExchange } from './live-exchange';

const signal = () => AbortSignal.timeout(30_000);
const BTC = 'BTC/USDT:USDT';

async function open(id: string) {
  const sim = await startExchangeSim({ dialect: DIALECTS[id] as Dialect, seed: 7 });
  const { apiKey, secret, password } = sim.account;
  const config: LiveExchangeConfig = {
    mode: 'live',
    ...{ id, apiKey, secret, password, baseUrl: sim.url, isTestnet: false, rateLimit: false },
  };
  const timing = { timeoutMs: 20_000, now: Date.now, observe: () => undefined };
  return { sim, exchange: createLiveExchange({ config, withPerpetuals: true, ...timing }) };
}

describe.each(['binance', 'bybit', 'okx'])('the live exchange %s with perpetuals', (id) => {
  let sim: ExchangeSim;
  let exchange: Exchange;
  beforeAll(async () => {
    ({ sim, exchange } = await open(id));
  });
  afterAll(() => sim.close());

  it('reads funding rates and reports an unlisted symbol', async () => {
    const rates = await exchange.perpetuals?.fundingRates([BTC, 'NO/USDT:USDT'], signal());
    expect(rates?.get(BTC)).toMatchObject({
      rate: expect.stringMatching(/^0\.000\d+$/),
      paidAt: expect.any(Number),
    });
    expect(rates?.get('NO/USDT:USDT')).toMatchObject({ code: 'bad_symbol' });
  });

  it('reads long and short positions with amounts in the base asset', async () => {
    sim.account.positions = [
      { symbol: 'BTC/USDT', amount: 0.5, entryPrice: 60_000, leverage: 5 },
      { symbol: 'ETH/USDT', amount: -2, entryPrice: 3_500, leverage: 3 },
    ];
    const account = await exchange.perpetuals?.account(['USDT'], signal());
    const [long, short] = account?.positions ?? [];
    expect(long).toMatchObject({ symbol: BTC, side: 'long', amount: '0.5' });
    expect(short).toMatchObject({ symbol: 'ETH/USDT:USDT', side: 'short', amount: '2' });
    const profit = 0.5 * (Number(long?.markPrice) - 60_000);
    expect(Number(long?.unrealisedPnl)).toBeCloseTo(profit, 4);
    expect(Number(long?.initialMargin)).toBeGreaterThan(0);
    const balances = id === 'binance' ? ['USDT'] : [];
    expect(Object.keys(account?.balances ?? {})).toEqual(balances);
  });

  it('reads funding payments as negative if the account paid, and as positive if it received', async () => {
    const time = Date.now() - 3_600_000;
    sim.account.fundingPayments = [
      { id: '71', symbol: 'BTC/USDT', received: '-1.25', time },
      { id: '72', symbol: 'BTC/USDT', received: '0.5', time: time + 1 },
    ];
    const paid = (await exchange.perpetuals?.fundingPayments(BTC, time - 1, signal()))?.payments;
    expect(paid).toEqual([
      { paymentId: '71', symbol: BTC, asset: 'USDT', amount: '-1.25', time },
      { paymentId: '72', symbol: BTC, asset: 'USDT', amount: '0.5', time: time + 1 },
    ]);
  });

  it('reads all hourly payments of one symbol over twenty days', async () => {
    const hours = Array.from({ length: 480 }, (_, hour) => Date.now() - (hour + 1) * 3_600_000);
    sim.account.fundingPayments = hours.flatMap((time, hour) => [
      { id: `1${hour}`, symbol: 'BTC/USDT', received: '-0.01', time },
      { id: `2${hour}`, symbol: 'ETH/USDT', received: '-0.01', time },
    ]);
    const since = (hours.at(-1) as number) - 1;
    const time = since + 7 * 86_400_000;
    sim.account.fundingPayments.push({ id: 'edge', symbol: 'BTC/USDT', received: '1', time });
    const paid = await exchange.perpetuals?.fundingPayments(BTC, since, signal());
    expect(paid?.failures).toEqual([]);
    const ids = paid?.payments.map(({ paymentId }) => paymentId).sort();
    expect(ids).toEqual([...hours.map((_, hour) => `1${hour}`), 'edge'].sort());
  });
});

it.each(['kraken', 'coinbase'])('the exchange %s has no perpetuals', async (id) => {
  const { sim, exchange } = await open(id);
  await sim.close();
  expect(exchange.perpetuals).toBeNull();
});
