import { z } from 'zod';
import {
  type Answer,
  anything,
  cost,
  date,
  decimal,
  holding,
  id,
  name,
  object,
  positive,
  side,
  soundRows,
  text,
  within,
} from './shapes';

const limitOrder = object({ base_size: positive, limit_price: positive });
const coinbaseOrder = object({
  ...{ order_id: id, product_id: name, side: side('BUY', 'SELL'), order_type: name },
  order_configuration: object({
    limit_limit_gtc: limitOrder.optional(),
    limit_limit_gtd: limitOrder.optional(),
  }).refine((kinds) => Object.keys(kinds).length === 1, 'must have exactly one order type'),
});

const PRIVATE = within(30, 1, 'key');
const PUBLIC = within(10, 1, 'address');

export const COINBASE: Answer[] = [
  [/^GET \/v2\/time$/, anything, cost(PUBLIC)],
  [
    /^GET \/api\/v3\/brokerage\/(time|transaction_summary|key_permissions)$/,
    anything,
    cost(PRIVATE),
  ],
  [
    /^GET \/api\/v3\/brokerage\/best_bid_ask$/,
    object({
      pricebooks: soundRows(
        object({
          product_id: name,
          bids: z.array(object({ price: positive })),
          asks: z.array(object({ price: positive })),
        }),
      ),
    }),
    cost(PRIVATE, 'collection'),
  ],
  [
    /^GET \/api\/v3\/brokerage\/market\/products$/,
    object({ products: soundRows(object({ product_id: name })) }),
    cost(PUBLIC, 'collection'),
  ],
  [/^GET \/api\/v3\/brokerage\/market\/products\/[^/]+\/ticker$/, anything, cost(PUBLIC)],
  [
    /^GET \/api\/v3\/brokerage\/market\/products\/[^/]+\/candles$/,
    object({ candles: z.array(object({})) }),
    cost(PUBLIC, 'symbol'),
  ],
  [
    /^GET \/api\/v3\/brokerage\/accounts$/,
    object({
      has_next: z.boolean(),
      accounts: z.array(
        holding(
          object({
            currency: name,
            type: z.string().startsWith('ACCOUNT_TYPE_'),
            available_balance: object({ currency: name }),
          }),
          object({
            available_balance: object({ value: decimal }),
            hold: object({ value: decimal }),
          }),
          ({ currency, type }) => ({
            ...{ currency, type },
            ...{ available_balance: { currency }, hold: { currency } },
          }),
        ),
      ),
    }),
    cost(PRIVATE, 'collection'),
  ],
  [
    /^GET \/api\/v3\/brokerage\/orders\/historical\/batch$/,
    object({ orders: z.array(coinbaseOrder), has_next: z.boolean(), cursor: text }),
    cost(PRIVATE, 'grid'),
  ],
  [
    /^GET \/api\/v3\/brokerage\/orders\/historical\/fills$/,
    object({
      cursor: text,
      fills: z.array(
        object({
          ...{ trade_id: id, order_id: id, product_id: name, side: side('BUY', 'SELL') },
          ...{ price: positive, size: positive, size_in_quote: z.boolean() },
          ...{ commission: decimal, trade_time: date },
        }),
      ),
    }),
    cost(PRIVATE, 'grid'),
  ],
  [
    /^GET \/api\/v3\/brokerage\/orders\/historical\/[^/]+$/,
    object({ order: object({ order_id: id }) }),
    cost(PRIVATE),
  ],
];
