import type { Registry } from 'prom-client';
import { createGauge } from '../../create-gauge';
import { presentOwner } from '../../exchange/owner';
import {
  collectionIdSql,
  type DashboardPart,
  type KindGauges,
  type Row,
  snapshotItem,
} from '../kind';
import { createPresenter } from '../present-item';
import { BALANCE_TABLE } from './columns';

export const BALANCE_ON_DASHBOARD: DashboardPart = {
  field: 'balances',
  item: snapshotItem,
  latest: async ({ db }, exchange) => {
    const { rows } = await db.pool.query<Row>(LATEST, [exchange]);
    return rows.map(createPresenter(BALANCE_TABLE));
  },
};

const LATEST = `
  SELECT r.*${collectionIdSql(BALANCE_TABLE, 'r')} FROM balance_snapshot r
  WHERE r.collection_ref = (
    SELECT t.collection_ref FROM balance_snapshot t WHERE t.asset IS NULL AND t.exchange = $1
    ORDER BY t.captured_at DESC, t.id DESC LIMIT 1)
    AND r.exchange = $1
  ORDER BY r.id`;

interface Total {
  exchange: string;
  quote: string;
  simulated: boolean;
  total_equity: string | null;
  equity_complete: boolean;
}

export function balanceGauges(registry: Registry): KindGauges {
  const equity = createGauge(
    registry,
    'equity_quote',
    'Total equity of the account; absent while an asset has no price.',
    ['exchange', 'quote', 'simulated'],
  );
  const complete = createGauge(
    registry,
    'equity_complete',
    'One when every asset has a price or counts as zero.',
    ['exchange'],
  );
  return {
    all: [equity, complete],
    select: `
      SELECT json_agg(json_build_object('exchange', exchange, 'quote', quote, 'simulated', simulated,
        'total_equity', total_equity::text, 'equity_complete', equity_complete))
      FROM balance_snapshot JOIN shown ON collection_ref = shown.id AND balance_snapshot.exchange = shown.owner AND total_row`,
    show: (rows: Total[], of) => {
      for (const { quote, simulated, total_equity, equity_complete, ...row } of rows) {
        const { exchange } = presentOwner(row.exchange);
        if (equity_complete && total_equity !== null) {
          equity.set(
            { ...of, exchange, quote, simulated: String(simulated) },
            Number(total_equity),
          );
        }
        complete.set({ ...of, exchange }, equity_complete ? 1 : 0);
      }
    },
  };
}
