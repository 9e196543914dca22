import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../context';

interface Latest {
  markets: { symbol: string; last: string; spread_bps: number }[];
  equity: {
    exchange: string;
    quote: string;
    simulated: boolean;
    total_equity: string;
    equity_complete: boolean;
  }[];
  grids: {
    grid_id: string;
    realised_pnl: string | null;
    unrealised_pnl: string | null;
    missing_orders: number;
    out_of_range: string;
    active: boolean;
    trending: boolean;
  }[];
  regimes: { symbol: string; label: string }[];
  collected_at: Date | null;
}

const LATEST = `
  WITH shown AS (
    SELECT c.id, c.started_at FROM dashboard_state d JOIN collection c USING (collection_id)
  )
  SELECT (SELECT started_at FROM shown) AS collected_at,
    coalesce((SELECT json_agg(json_build_object('symbol', symbol, 'last', last::text, 'spread_bps', spread_bps))
      FROM market_snapshot JOIN shown ON collection_ref = shown.id), '[]') AS markets,
    coalesce((SELECT json_agg(json_build_object('exchange', exchange, 'quote', quote, 'simulated', simulated,
      'total_equity', total_equity::text, 'equity_complete', equity_complete))
      FROM balance_snapshot JOIN shown ON collection_ref = shown.id WHERE total_row), '[]') AS equity,
    coalesce((SELECT json_agg(json_build_object('grid_id', g.grid_id, 'realised_pnl', realised_pnl::text,
      'unrealised_pnl', unrealised_pnl::text, 'missing_orders', missing_orders, 'out_of_range', out_of_range,
      'active', true, 'trending', EXISTS (SELECT 1 FROM regime_snapshot r WHERE r.collection_ref = shown.id
        AND r.symbol = g.symbol AND r.label LIKE 'trending%')))
      FROM grid_snapshot g JOIN shown ON collection_ref = shown.id), '[]') AS grids,
    coalesce((SELECT json_agg(json_build_object('symbol', symbol, 'label', label))
      FROM regime_snapshot JOIN shown ON collection_ref = shown.id), '[]') AS regimes`;

const LABELS = ['trending_up', 'trending_down', 'ranging', 'volatile', 'indeterminate', 'unknown'];

function gauge<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
) {
  return new Gauge({ name: `marketmetrics_${name}`, help, labelNames, registers: [registry] });
}

/** What the last collection says, read from the database when Prometheus asks; absent values stay absent. */
export function createStateGauges(registry: Registry) {
  const equity = gauge(registry, 'equity_quote', 'Total equity of the account.', [
    'exchange',
    'quote',
    'simulated',
  ]);
  const complete = gauge(registry, 'equity_complete', 'One when every asset has a price.', [
    'exchange',
  ]);
  const last = gauge(registry, 'market_last_price', 'Last price.', ['symbol']);
  const spread = gauge(registry, 'market_spread_bps', 'Spread in basis points of the middle.', [
    'symbol',
  ]);
  const pnl = gauge(registry, 'grid_pnl_quote', 'Profit of a grid.', ['grid_id', 'type']);
  const missing = gauge(registry, 'grid_missing_orders', 'Levels without their order.', [
    'grid_id',
  ]);
  const outside = gauge(registry, 'grid_out_of_range', 'One while the price is outside.', [
    'grid_id',
  ]);
  const against = gauge(registry, 'grid_in_trend', 'One while the symbol of a grid trends.', [
    'grid_id',
  ]);
  const regime = gauge(registry, 'regime', 'One for the label that holds.', ['symbol', 'label']);
  const circuit = gauge(
    registry,
    'exchange_circuit_open',
    'One while the exchange is left alone.',
    [],
  );
  const seen = gauge(
    registry,
    'dashboard_timestamp_seconds',
    'When the shown collection was made.',
    [],
  );
  const all = [equity, complete, last, spread, pnl, missing, outside, against, regime];

  return async ({ db, exchange }: Context): Promise<void> => {
    circuit.set(exchange.state().circuit === 'closed' ? 0 : 1);
    for (const one of all) one.reset();
    const { rows } = await db.pool.query<Latest>(LATEST);
    const latest = rows[0];
    if (!latest?.collected_at) return;
    seen.set(latest.collected_at.getTime() / 1000);
    for (const row of latest.equity) {
      const { exchange: name, quote, simulated } = row;
      equity.set({ exchange: name, quote, simulated: String(simulated) }, Number(row.total_equity));
      complete.set({ exchange: name }, row.equity_complete ? 1 : 0);
    }
    for (const { symbol, last: price, spread_bps } of latest.markets) {
      last.set({ symbol }, Number(price));
      spread.set({ symbol }, spread_bps);
    }
    for (const row of latest.grids) {
      const { grid_id } = row;
      if (row.realised_pnl !== null)
        pnl.set({ grid_id, type: 'realised' }, Number(row.realised_pnl));
      if (row.unrealised_pnl !== null) {
        pnl.set({ grid_id, type: 'unrealised' }, Number(row.unrealised_pnl));
      }
      missing.set({ grid_id }, row.missing_orders);
      outside.set({ grid_id }, row.out_of_range === 'none' ? 0 : 1);
      against.set({ grid_id }, row.trending ? 1 : 0);
    }
    for (const { symbol, label } of latest.regimes) {
      for (const one of LABELS) regime.set({ symbol, label: one }, one === label ? 1 : 0);
    }
  };
}
