import { MetricsPrisma, type MetricsReader } from '@switchyard/db';
import type { Context } from '../context';
import { updateDashboard } from '../dashboard/update-dashboard';
import { type Decimal, decimal } from '../decimal';
import { settleGrid } from '../grids/settle-grid';
import { recordSeries } from '../history/record-series';
import { settleRegime } from '../regime/settle-regime';
import { storeCandles } from './candle-store';
import type { Claim } from './claim-collection';
import type { Gathered } from './gather';

export interface Stored {
  answer: string;
  dataPoints: number;
  dashboardUpdated: boolean;
}

type GridSnapshotRow = NonNullable<Awaited<ReturnType<typeof settleGrid>>>;

/** The row is the fence: an attempt that lost its claim meanwhile must not write a second collection. */
async function finish(
  tx: MetricsReader,
  claim: Claim,
  data: MetricsPrisma.CollectionUpdateManyMutationInput,
): Promise<void> {
  const where = { id: claim.ref, attempt: claim.attempt, status: 'running' };
  const { count } = await tx.collection.updateMany({ where, data });
  if (count !== 1) throw new Error('this attempt was overtaken by a later one');
}

function latestCandles(gathered: Gathered) {
  return new Map(
    gathered.candles.map(({ symbol, timeframe, closed }) => {
      const last = closed.at(-1);
      if (!last) return [symbol, null] as const;
      const { openTime, ...rest } = last;
      return [symbol, { timeframe, open_time: new Date(openTime).toISOString(), ...rest }] as const;
    }),
  );
}

async function settleGrids(
  tx: MetricsReader,
  gathered: Gathered,
  capturedAt: Date,
): Promise<GridSnapshotRow[]> {
  const ids = gathered.grids.map(({ gridId }) => gridId).sort();
  if (ids.length === 0) return [];
  await tx.$queryRaw`
    SELECT 1 FROM grid WHERE grid_id = ANY(${ids}) ORDER BY grid_id FOR UPDATE`;
  const mids = new Map<string, Decimal>(
    gathered.markets.map((row) => [row.symbol, decimal(row.mid)]),
  );
  const rows: GridSnapshotRow[] = [];
  for (const observed of gathered.grids) {
    const row = await settleGrid(tx, observed, capturedAt, mids);
    if (row) rows.push(row);
  }
  return rows;
}

/**
 * All of a collection in one transaction: the four kinds of snapshots, the candles, the dashboard and the
 * answer itself, so that a repeated request gets the bytes of the first one.
 * @throws whatever the storage throws; nothing of the collection is kept then
 */
export async function storeCollection(
  context: Context,
  claim: Claim,
  gathered: Gathered,
  options: {
    isForDashboard: boolean;
    present(stored: Omit<Stored, 'answer'>, gathered: Gathered, finishedAt: Date): string;
  },
): Promise<Stored> {
  const { clock, db, exchange } = context;
  const { capturedAt, ref } = claim;
  const { name, simulated } = exchange;
  const common = { collectionRef: ref, capturedAt, exchange: name, simulated };
  return db.client.$transaction(
    async (tx) => {
      const grids = await settleGrids(tx, gathered, capturedAt);
      gathered.components.grid_status.data_points = grids.length;
      const candles = latestCandles(gathered);
      const markets = gathered.markets.map((row) => ({
        ...common,
        ...row,
        candle: candles.get(row.symbol) ?? MetricsPrisma.DbNull,
      }));
      const regimes = [];
      for (const row of [...gathered.regimes].sort((a, b) => a.symbol.localeCompare(b.symbol))) {
        regimes.push({ ...common, ...(await settleRegime(tx, name, row)) });
      }
      const balances = gathered.balances.map((row) => ({ ...common, ...row, stale: false }));
      if (balances.length > 0) await tx.balanceSnapshot.createMany({ data: balances });
      if (markets.length > 0) await tx.marketSnapshot.createMany({ data: markets });
      if (grids.length > 0) {
        await tx.gridSnapshot.createMany({ data: grids.map((row) => ({ ...common, ...row })) });
      }
      if (regimes.length > 0) await tx.regimeSnapshot.createMany({ data: regimes });
      await storeCandles(tx, name, gathered.candles);
      await recordSeries(tx, name, simulated, {
        collection: [''],
        balance: balances.map((row) => row.asset ?? ''),
        market: markets.map((row) => row.symbol),
        grid: grids.map((row) => row.gridId),
        regime: regimes.map((row) => row.symbol),
      });
      const dataPoints = balances.length + markets.length + grids.length + regimes.length;
      const dashboardUpdated =
        options.isForDashboard && (await updateDashboard(tx, context, claim, gathered.components));
      const finishedAt = clock.now();
      const answer = options.present({ dataPoints, dashboardUpdated }, gathered, finishedAt);
      await finish(tx, claim, {
        status: 'success',
        finishedAt,
        leaseUntil: null,
        durationMs: finishedAt.getTime() - capturedAt.getTime(),
        dataPoints,
        storageStatus: 'committed',
        dashboardUpdated,
        components: gathered.components,
        answer,
        error: null,
      });
      return { answer, dataPoints, dashboardUpdated };
    },
    { maxWait: 5_000, timeout: 10_000 },
  );
}
