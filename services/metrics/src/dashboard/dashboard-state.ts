import { z } from 'zod';
import type { Context } from '../context';
import { listGrids } from '../grids/list-grids';
import { historyQuery } from '../history/history-query';
import { collectionItems } from '../history/raw-history';

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

/** What the dashboard shows first: the newest whole collection, with the age of everything. */
export async function dashboardState(context: Context): Promise<z.output<typeof dashboardAnswer>> {
  const { clock, config, db, exchange } = context;
  const now = clock.now();
  const shown = await db.client.dashboardState.findUnique({ where: { id: 1 } });
  const seconds = shown ? Math.round((+now - +shown.capturedAt) / 1000) : 0;
  const query = historyQuery.parse({ collection_id: shown?.collectionId ?? '' });
  const items = shown ? (await collectionItems(db.pool, query)).items : [];
  const of = (kind: string) => items.filter((one) => one.kind === kind) as z.output<typeof item>[];
  const state = shown?.state as
    | { components?: Record<string, unknown>; exchange?: string }
    | undefined;
  return {
    generated_at: now.toISOString(),
    simulated: exchange.simulated,
    exchange: state?.exchange ?? exchange.name,
    interval_seconds: config.intervalMs / 1000,
    collection: shown && {
      collection_id: shown.collectionId,
      captured_at: shown.capturedAt.toISOString(),
      age_seconds: seconds,
      stale: seconds * 1000 > 2 * config.intervalMs,
    },
    components: state?.components ?? {},
    balances: of('balance'),
    markets: of('market'),
    regimes: of('regime'),
    grids: (await listGrids(context, {})).items,
  };
}
