import type {
  SimAccount,
  SimAccountOrder,
  SimAccountTrade,
} from '@switchyard/testing/exchange-sim/account';

type Side = 'buy' | 'sell';

export interface TradedFill extends SimAccountTrade {
  level: number;
  visibleAt: number;
}

export interface TradedGrid {
  gridId: string;
  prefix: string;
  fills: TradedFill[];
  walk(price: number, time: number): void;
}

export function tradeGrid(options: {
  account: SimAccount;
  grid: {
    grid_id: string;
    symbol: string;
    client_order_prefix: string;
    levels: { price: string }[];
  };
  amount: number;
  price: number;
  time: number;
  random(): number;
}): TradedGrid {
  const { account, grid, amount, random } = options;
  const { symbol, client_order_prefix: prefix } = grid;
  const prices = grid.levels.map(({ price }) => Number(price));
  const open = new Map<number, SimAccountOrder & { left: number }>();
  const fills: TradedFill[] = [];
  let count = 0;
  let last = options.price;

  const place = (level: number, side: Side, time: number) => {
    const price = grid.levels[level]?.price;
    if (price === undefined || open.has(level)) return;
    const id = String(1_000_000 * (1 + prefix.charCodeAt(0)) + ++count);
    const clientOrderId = `${prefix}-${level}-${count}`;
    const order = { id, clientOrderId, symbol, side, price, amount: amount.toFixed(4), time };
    open.set(level, { ...order, left: amount });
    account.orders.push(order);
  };
  const fill = (level: number, share: number, time: number) => {
    const order = open.get(level) as SimAccountOrder & { left: number };
    const part = share >= 1 ? order.left : Math.floor(order.left * share * 1e4) / 1e4;
    if (part <= 0) return;
    const better = random() < 0.3 ? 1 + random() * 2e-4 * (order.side === 'buy' ? -1 : 1) : 1;
    const price = (Number(order.price) * better).toFixed(2);
    const [base = '', quote = ''] = symbol.split('/');
    const feeAsset = random() < 0.6 ? 'BNB' : random() < 0.8 ? quote : base;
    const value = part * Number(price);
    const fee = { BNB: value / 580e3, [quote]: value / 1e3, [base]: part / 1e3 }[feeAsset] ?? 0;
    fills.push({
      id: `${order.id}-${fills.length}`,
      orderId: order.id,
      symbol,
      side: order.side,
      price,
      amount: part.toFixed(4),
      fee: fee.toFixed(8),
      feeAsset,
      time,
      level,
      visibleAt: time + (random() < 0.2 ? random() * 8 * 60_000 : 0),
    });
    order.left = Number((order.left - part).toFixed(4));
    if (order.left > 0) return;
    open.delete(level);
    account.orders = account.orders.filter(({ id }) => id !== order.id);
    account.closedOrders.push(order);
    place(
      order.side === 'buy' ? level + 1 : level - 1,
      order.side === 'buy' ? 'sell' : 'buy',
      time,
    );
  };

  const free = prices
    .map((price, level) => [Math.abs(price - last), level] as const)
    .sort(([one], [other]) => one - other)[0]?.[1];
  for (const level of prices.keys()) {
    if (level !== free) place(level, level < Number(free) ? 'buy' : 'sell', options.time);
  }
  return {
    gridId: grid.grid_id,
    prefix,
    fills,
    walk: (price, time) => {
      const side: Side = price < last ? 'buy' : 'sell';
      const reached = [...open.entries()]
        .filter(([level, order]) => {
          const at = prices[level] as number;
          return order.side === side && (side === 'buy' ? price <= at : price >= at);
        })
        .map(([level]) => level)
        .sort((one, other) => (side === 'buy' ? other - one : one - other));
      for (const level of reached) {
        if (random() < 0.5) fill(level, random(), time);
        if (random() < 0.85) fill(level, 1, time + 1);
      }
      last = price;
    },
  };
}
