import type { SimAccount, SimTransfer } from '@switchyard/testing/exchange-sim/account';
import { type Decimal, decimal } from '../../src/decimal';

const DAY = 86_400_000;

interface Moved extends SimTransfer {
  at: number;
  value: Decimal | null;
}

export function watchAccount(account: SimAccount, priceOf: (asset: string) => Decimal) {
  const moved: Moved[] = [];
  const points: { at: number; equity: Decimal }[] = [];
  const equity = () =>
    Object.entries(account.balances).reduce(
      (sum, [asset, { free, locked }]) =>
        sum.plus(decimal(free).plus(locked).times(priceOf(asset))),
      decimal(0),
    );
  return {
    moved,
    move: (type: SimTransfer['type'], asset: string, amount: string, at: number, time: number) => {
      const own = account.balances[asset] ?? { free: '0', locked: '0' };
      const fee = type === 'withdrawal' ? decimal(amount).times('0.001').toFixed() : '0';
      const change = type === 'deposit' ? decimal(amount) : decimal(amount).plus(fee).negated();
      account.balances[asset] = { ...own, free: decimal(own.free).plus(change).toFixed() };
      const id = `${type}-${moved.length}`;
      const one = { id, type, asset, amount, fee, time };
      account.transfers.push(one);
      moved.push({ ...one, at, value: null });
    },
    look: (at: number, read: { balance: boolean; transfers: boolean }) => {
      if (read.balance) points.push({ at, equity: equity() });
      if (!read.transfers) return;
      for (const one of moved) one.value ??= decimal(one.amount).times(priceOf(one.asset));
    },
    days: (from: number, until: number) => {
      const days = [];
      for (let end = from + DAY; end <= until; end += DAY) {
        const lastBefore = (time: number) => points.filter(({ at }) => at < time).at(-1);
        const [first, last] = [lastBefore(end - DAY), lastBefore(end)];
        if (!first || !last) continue;
        const transfers = moved
          .filter(({ at }) => at > first.at && at <= last.at)
          .reduce(
            (sum, { type, value }) =>
              type === 'deposit' ? sum.plus(value ?? NaN) : sum.minus(value ?? NaN),
            decimal(0),
          );
        days.push({ end, transfers, result: last.equity.minus(first.equity).minus(transfers) });
      }
      return days;
    },
  };
}
