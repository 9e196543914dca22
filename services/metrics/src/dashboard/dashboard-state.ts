import { z } from 'zod';
import type { Context } from '../context';
import { listGrids } from '../grids/list-grids';
import { latestSnapshots } from './latest-snapshots';

const item = z.looseObject({ kind: z.string() });

export const dashboardAnswer = z.object({
  generated_at: z.string(),
  simulated: z.boolean(),
  exchange: z.string(),
  interval_seconds: z.number(),
  collection: z
    .object({
      collection_id: z.string(),
      captured_at: z.string(),
      age_seconds: z.number(),
      stale: z.boolean(),
    })
    .nullable(),
  components: z.record(z.string(), z.unknown()),
  balances: z.array(item),
  markets: z.array(item),
  regimes: z.array(item),
  grids: z.array(z.looseObject({ grid_id: z.string() })),
});

type Item = z.output<typeof item>;

/** What the dashboard shows first: the newest collection and the newest values, with the age of everything. */
export async function dashboardState(context: Context): Promise<z.output<typeof dashboardAnswer>> {
  const { clock, config, db, exchange } = context;
  const now = clock.now();
  const shown = await db.client.dashboardState.findUnique({ where: { id: 1 } });
  const seconds = shown ? Math.round((+now - +shown.capturedAt) / 1000) : 0;
  const state = shown?.state as
    | { components: Record<string, unknown>; exchange: string; simulated: boolean }
    | undefined;
  const grids = (await listGrids(context, {})).items;
  const name = state?.exchange ?? exchange.name;
  const symbols = grids.flatMap((grid) => (grid.exchange === name ? [grid.symbol] : []));
  const latest = await latestSnapshots(context, name, symbols);
  return {
    generated_at: now.toISOString(),
    // Of what is shown, not of what will be collected next.
    simulated: state?.simulated ?? exchange.simulated,
    exchange: name,
    interval_seconds: config.intervalMs / 1000,
    collection: shown && {
      collection_id: shown.collectionId,
      captured_at: shown.capturedAt.toISOString(),
      age_seconds: seconds,
      stale: seconds * 1000 > 2 * config.intervalMs,
    },
    components: state?.components ?? {},
    balances: latest.balances as Item[],
    markets: latest.markets as Item[],
    regimes: latest.regimes as Item[],
    grids,
  };
}
