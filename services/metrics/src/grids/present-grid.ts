import type { MetricsReader } from '@switchyard/db';
import type { z } from 'zod';
import { decimalText, optionalDecimalText } from '../decimal';
import type { gridConfig } from './grid-request';

type GridRow = NonNullable<Awaited<ReturnType<MetricsReader['grid']['findUnique']>>>;

/** A grid's configuration as every answer shows it. */
export function presentGrid(row: GridRow): z.output<typeof gridConfig> {
  return {
    grid_id: row.gridId,
    name: row.name,
    symbol: row.symbol,
    exchange: row.exchange,
    simulated: row.simulated,
    mode: row.mode as 'simulated' | 'external',
    spacing: row.spacing as 'arithmetic' | 'geometric',
    lower_price: decimalText(row.lowerPrice),
    upper_price: decimalText(row.upperPrice),
    grid_count: row.gridCount,
    order_amount: decimalText(row.orderAmount),
    total_quote: optionalDecimalText(row.totalQuote),
    fee_rate: decimalText(row.feeRate),
    client_order_prefix: row.clientOrderPrefix,
    status: row.status as 'active' | 'paused' | 'stopped',
    created_at: row.createdAt.toISOString(),
    stopped_at: row.stoppedAt?.toISOString() ?? null,
  };
}
