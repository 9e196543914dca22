import type { HistoryTable } from '../kinds/kind';
import type { Resources } from '../resources';
import { TABLES } from './tables';

const HOUR = 3_600_000;
const SETTLED_MS = 10 * 60_000;
const LONGEST_STEP = 24 * HOUR;

const floorHour = (time: number) => Math.floor(time / HOUR) * HOUR;

export async function rollUp(resources: Resources): Promise<void> {
  for (const table of TABLES) {
    while (await rollStep(resources, table));
  }
}

async function rollStep({ db, clock }: Resources, of: HistoryTable): Promise<Date | null> {
  const { name, table, time, key, measures } = of;
  const settled = floorHour(clock.now().getTime() - SETTLED_MS);
  const client = await db.pool.connect();
  let broken = false;
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO rollup_progress (kind, complete_until)
       SELECT $1, date_bin('1 hour', min(${time}), 'epoch'::timestamptz) FROM ${table}
       HAVING min(${time}) IS NOT NULL ON CONFLICT DO NOTHING`,
      [name],
    );
    const { rows } = await client.query<{ complete_until: Date }>(
      'SELECT complete_until FROM rollup_progress WHERE kind = $1 FOR UPDATE',
      [name],
    );
    const from = rows[0]?.complete_until.getTime();
    const to = from === undefined ? undefined : Math.min(from + LONGEST_STEP, settled);
    if (from === undefined || to === undefined || to <= from) {
      await client.query('ROLLBACK');
      return null;
    }
    const values = Object.entries(measures)
      .map(([measure, sql]) => `('${measure}', ${sql})`)
      .join(', ');
    // Both ends use one ordered aggregate, which PostgreSQL computes once.
    await client.query(
      `INSERT INTO rollup_hour (kind, key, metric, exchange, simulated, hour, samples, sum, min, max,
         first, last)
       SELECT $1, ${key}, m.metric, t.exchange, t.simulated,
         date_bin('1 hour', t.${time}, 'epoch'::timestamptz), count(*), sum(m.value), min(m.value),
         max(m.value), (array_agg(m.value ORDER BY t.${time}, t.id))[1],
         (array_agg(m.value ORDER BY t.${time}, t.id))[count(*)]
       FROM ${table} t CROSS JOIN LATERAL (VALUES ${values}) AS m (metric, value)
       WHERE t.${time} >= $2 AND t.${time} < $3 AND m.value IS NOT NULL
       GROUP BY 2, 3, 4, 5, 6
       ON CONFLICT (kind, key, metric, exchange, simulated, hour) DO UPDATE SET
         samples = excluded.samples, sum = excluded.sum, min = excluded.min, max = excluded.max,
         first = excluded.first, last = excluded.last`,
      [name, new Date(from), new Date(to)],
    );
    await client.query('UPDATE rollup_progress SET complete_until = $2 WHERE kind = $1', [
      name,
      new Date(to),
    ]);
    await client.query('COMMIT');
    return new Date(to);
  } catch (error) {
    broken = true;
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
