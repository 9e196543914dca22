import type { Resources } from '../../resources';
import type { Collector } from '../collector';

/**
 * Collects if no caller did within the configured interval, so that an outage of the workflow tool
 * loses no data. The id contains the time slot, so that only one of several processes collects.
 */
export async function collectOnSchedule({
  clock,
  collector,
  config,
  db,
}: Pick<Resources, 'clock' | 'config' | 'db'> & { collector: Collector }): Promise<void> {
  const { collectEveryMs } = config;
  if (collectEveryMs === 0) return;
  const now = clock.now().getTime();
  const { rows } = await db.pool.query(
    `SELECT 1 FROM collection WHERE started_at > $1 AND source <> 'regime_analyze' LIMIT 1`,
    [new Date(now - collectEveryMs)],
  );
  if (rows.length > 0) return;
  const slot = new Date(Math.floor(now / collectEveryMs) * collectEveryMs);
  const collection_id = `own_schedule_${slot.toISOString().replaceAll(/\D/g, '').slice(0, 14)}`;
  await collector.collect({ source: 'own_schedule', collection_id });
}
