import { randomFrom } from '@switchyard/testing';
import type { SimAccountTrade } from '@switchyard/testing/exchange-sim/account';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import { DIALECTS, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { type Decimal, decimal } from '../src/decimal';
import { clockAt, startHarness } from './harness';
import { liveSettings } from './live-settings';

export type Fault = 'hidden' | 'doubled' | 'mislabelled';

interface Item {
  asset: string;
  unexplained: string;
  unexplained_since: string | null;
}

const SYMBOLS = ['BTC/USDT', 'ETH/USDT', 'BNB/USDT'];

export async function startTradedAccount(dialect: string, seed: number) {
  const random = randomFrom(seed);
  const clock = clockAt('2031-01-06T00:00:00.000Z');
  const now = () => clock.now().getTime();
  const sim = await startExchangeSim({ dialect: DIALECTS[dialect] as Dialect, seed: 7, now });
  const { account } = sim;
  account.balances = {};
  const change = (asset: string, amount: Decimal | string) => {
    const { free } = account.balances[asset] ?? { free: '0' };
    account.balances[asset] = { free: decimal(free).plus(amount).toFixed(), locked: '0' };
  };
  for (const [asset, amount] of Object.entries({ USDT: '90000', BTC: '3', ETH: '40', BNB: '90' })) {
    change(asset, amount);
  }
  const service = await startHarness({
    context: { clock },
    env: {
      ...liveSettings(sim, dialect),
      EXCHANGE_API_PASSWORD: account.password,
      METRICS_SYMBOLS: SYMBOLS.join(','),
      METRICS_COLLECTION_TIMEOUT_MS: '190000',
    },
  });
  const late: { trade: SimAccountTrade; at: number }[] = [];
  let count = 0;
  return {
    random,
    clock,
    trade: ({ fault, lateMs = 0 }: { fault?: Fault; lateMs?: number } = {}) => {
      const symbol = SYMBOLS[Math.floor(random() * SYMBOLS.length)] as string;
      const [base = '', quote = ''] = symbol.split('/');
      const side = random() < 0.5 ? ('buy' as const) : ('sell' as const);
      const price = (100 * (1 + random())).toFixed(2);
      const amount = (0.01 + random() / 50).toFixed(4);
      const feeAsset = [base, quote, 'BNB'][Math.floor(random() * 3)] as string;
      const fee = (random() / 1000).toFixed(8);
      const bought = decimal(amount).times(side === 'buy' ? 1 : -1);
      change(base, bought);
      change(quote, bought.times(price).negated());
      change(feeAsset, decimal(fee).negated());
      const id = String(1_000_000 + ++count);
      const trade = { id, orderId: `9${id}`, symbol, side, price, amount, fee, feeAsset };
      const shown = { ...trade, time: now() };
      if (fault === 'mislabelled') shown.side = side === 'buy' ? 'sell' : 'buy';
      if (fault !== 'hidden') late.push({ trade: shown, at: now() + lateMs });
      if (fault === 'doubled') {
        late.push({ trade: { ...shown, id: String(5_000_000 + count) }, at: now() });
      }
      return { base, amount: fault === 'mislabelled' ? bought.times(2) : bought };
    },
    pending: (base: string, since: number): Decimal =>
      late
        .filter(({ trade, at }) => at > now() && trade.time > since)
        .filter(({ trade }) => trade.symbol.startsWith(`${base}/`))
        .map(({ trade }) => decimal(trade.amount).times(trade.side === 'buy' ? 1 : -1))
        .reduce((sum, amount) => sum.plus(amount), decimal(0)),
    transfer: () => {
      const type = random() < 0.5 ? ('deposit' as const) : ('withdrawal' as const);
      const amount = (1 + random()).toFixed(4);
      const fee = type === 'withdrawal' ? '0.01' : '0';
      change('USDT', type === 'deposit' ? amount : decimal(amount).plus(fee).negated());
      account.transfers.push({ id: `t${++count}`, type, asset: 'USDT', amount, fee, time: now() });
    },
    collect: async ({ degraded = false } = {}): Promise<Item[]> => {
      const due = late.filter(({ at }) => at <= now());
      for (const one of due) late.splice(late.indexOf(one), 1);
      account.trades.push(...due.map(({ trade }) => trade));
      account.trades = account.trades.filter(({ time }) => time > now() - 2 * 86_400_000);
      const { body } = await service.http.post('/metrics/collect').send({});
      expect(body).toMatchObject({ degraded });
      const { body: shown } = await service.http.get('/reconciliation').expect(200);
      expect(shown.items).toHaveLength(4);
      return shown.items.filter(({ unexplained }: Item) => unexplained !== '0');
    },
    service,
    sim,
    close: async () => {
      await service.close();
      await sim.close();
    },
  };
}
