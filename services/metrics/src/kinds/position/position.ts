import { insertRows } from '../insert-rows';
import {
  collectionIdSql,
  columnMeasures,
  type HistoryTable,
  type Kind,
  type KindGauge,
  type Row,
  type Storing,
  snapshotItem,
} from '../kind';
import { BRIDGES } from '../load-prices';
import { createPresenter } from '../present-item';
import { priceOf } from '../price-assets';
import { type ObservedMargin, planPositions } from './gather';

export const positionKey = (symbol: string, side: string): string => `${symbol} ${side}`;

export const POSITION_TABLE: HistoryTable = {
  name: 'position',
  table: 'position_snapshot',
  time: 'captured_at',
  key: "t.symbol || ' ' || t.side",
  filters: ['symbol'],
  ofKey: { symbol: "split_part(key, ' ', 1)" },
  decimals: [
    ...['amount', 'entry_price', 'mark_price', 'liquidation_price', 'unrealised_pnl'],
    ...['initial_margin', 'maintenance_margin', 'leverage', 'value_in_quote'],
    ...['unrealised_in_quote', 'funding_received'],
  ],
  measures: columnMeasures(
    ...['unrealised_pnl', 'amount', 'value_in_quote', 'mark_price', 'funding_received'],
  ),
  presence: ['amount'],
  ofSeries: () => "t.symbol = split_part($1, ' ', 1) AND t.side = split_part($1, ' ', 2)",
  named: (key) => {
    const [symbol, side] = key.split(' ');
    return { symbol, side };
  },
};

const LATEST = `
  SELECT r.*${collectionIdSql(POSITION_TABLE, 'r')} FROM position_snapshot r
  WHERE r.collection_ref = (
    SELECT t.collection_ref FROM position_snapshot t
    WHERE t.exchange = $1 AND t.captured_at >= (
      SELECT max(last_success_at) FROM component_state
      WHERE component = 'perpetual_positions' AND exchange = $1)
    ORDER BY t.captured_at DESC, t.id DESC LIMIT 1)
    AND r.exchange = $1
  ORDER BY r.id`;

const gauge = (name: string, help: string, value: string): KindGauge => ({
  name: `position_${name}`,
  help,
  labels: { symbol: 't.symbol', side: 't.side' },
  value,
});

export const POSITION: Kind<ObservedMargin> = {
  ...POSITION_TABLE,
  component: 'perpetual_positions',
  plan: planPositions,
  targetOf: () => 'perpetual_positions',
  store: storePositions,
  dashboard: {
    field: 'positions',
    item: snapshotItem,
    table: {
      title: 'Positions',
      columns: {
        symbol: 'Perpetual',
        side: 'Side',
        amount: 'Amount',
        entry_price: 'Entry',
        mark_price: 'Mark',
        unrealised_pnl: 'Unrealised',
        funding_received: 'Funding',
        liquidation_price: 'Liquidation',
      },
    },
    latest: async ({ db }, exchange) => {
      const { rows } = await db.pool.query<Row>(LATEST, [exchange]);
      return rows.map(createPresenter(POSITION_TABLE));
    },
  },
  gauges: [
    gauge('value_quote', 'Absolute value of a position in METRICS_QUOTE.', 't.value_in_quote'),
    gauge(
      'unrealised_pnl',
      'Unrealised profit of a position, in its settlement asset.',
      't.unrealised_pnl',
    ),
    gauge(
      'funding_received',
      'Funding received minus funding paid for the symbol.',
      't.funding_received',
    ),
    gauge(
      'liquidation_distance_ratio',
      'Distance from mark price to liquidation price, as a share of the mark price.',
      'abs(t.mark_price - t.liquidation_price) / nullif(t.mark_price, 0)',
    ),
  ],
};

async function storePositions(
  storing: Storing,
  seen: readonly ObservedMargin[],
): Promise<string[]> {
  const { tx, common } = storing;
  for (const one of seen) await storePayments(storing, one);
  const positions = seen.flatMap((one) => one.positions);
  if (positions.length === 0) return [];
  const { rows: sums } = await tx.query<{ symbol: string; received: string }>(
    'SELECT symbol, sum(amount)::text AS received FROM funding_payment WHERE exchange = $1 GROUP BY symbol',
    [common.exchange],
  );
  const received = new Map(sums.map((row) => [row.symbol, row.received]));
  const rows = positions.map((row) => ({
    ...row,
    funding_received: received.get(row.symbol) ?? '0',
  }));
  await insertRows(storing, POSITION_TABLE.table, rows);
  return positions.map(({ symbol, side }) => positionKey(symbol, side));
}

async function storePayments(
  { tx, common }: Storing,
  { payments, readUntil, offsetMs, quote, prices }: ObservedMargin,
): Promise<void> {
  const { exchange } = common;
  const data = payments.map(({ paymentId, time, ...one }) => ({
    ...one,
    exchange,
    payment_id: paymentId,
    paid_at: new Date(time).toISOString(),
    counted_at: new Date(time - offsetMs).toISOString(),
  }));
  if (data.length > 0) {
    await tx.query(
      `INSERT INTO funding_payment (exchange, symbol, payment_id, asset, amount, paid_at, counted_at)
       SELECT exchange, symbol, payment_id, asset, amount, paid_at, counted_at
       FROM json_populate_recordset(NULL::funding_payment, $1::json)
       ORDER BY symbol, payment_id ON CONFLICT DO NOTHING`,
      [JSON.stringify(data)],
    );
  }
  await tx.query(
    `INSERT INTO funding_progress AS known (exchange, symbol, read_until)
     SELECT $1, key, value::timestamptz FROM json_each_text($2) ORDER BY key
     ON CONFLICT (exchange, symbol) DO UPDATE SET read_until = greatest(known.read_until, excluded.read_until)`,
    [exchange, JSON.stringify(readUntil)],
  );
  const { rows: unpriced } = await tx.query<{ asset: string }>(
    'SELECT DISTINCT asset FROM funding_payment WHERE exchange = $1 AND value_in_quote IS NULL ORDER BY asset',
    [exchange],
  );
  for (const { asset } of unpriced) {
    const price = priceOf(asset, quote, prices, BRIDGES)?.price;
    if (!price) continue;
    await tx.query(
      `UPDATE funding_payment SET quote = $3, value_in_quote = amount * $4::numeric
       WHERE exchange = $1 AND asset = $2 AND value_in_quote IS NULL
         AND abs(amount * $4::numeric) < 1e20 -- More is not storable.`,
      [exchange, asset, quote, price.toFixed()],
    );
  }
}
