import type { Context } from '../context';
import { KIND_NAMES, KINDS, type Kind, type KindName, measureSql } from './kinds';

const HOUR = 3_600_000;
/** A collection is stored within its deadline; older hours get no more rows. */
const SETTLED_MS = 10 * 60_000;
const LONGEST_STEP = 24 * HOUR;

const floorHour = (time: number) => Math.floor(time / HOUR) * HOUR;

/** Rolls one stretch of whole hours; answers how far the kind is complete, or null when nothing is due. */
async function rollStep({ db, clock }: Context, kind: KindName): Promise<Date | null> {
  const { table, time, key, measures }: Kind = KINDS[kind];
  const settled = floorHour(clock.now().getTime() - SETTLED_MS);
  const client = await db.pool.connect();
  let broken = false;
  // A connection that is cut between two statements says so here, and would end the process unheard.
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
      [kind],
    );
    const { rows } = await client.query<{ complete_until: Date }>(
      'SELECT complete_until FROM rollup_progress WHERE kind = $1 FOR UPDATE',
      [kind],
    );
    const from = rows[0]?.complete_until.getTime();
    const to = from === undefined ? undefined : Math.min(from + LONGEST_STEP, settled);
    if (from === undefined || to === undefined || to <= from) {
      await client.query('ROLLBACK');
      return null;
    }
    const values = measures.map((measure) => `('${measure}', ${measureSql(measure)})`).join(', ');
    await client.query(
      `INSERT INTO rollup_hour (kind, key, metric, exchange, simulated, hour, samples, sum, min, max,
         first, last)
       SELECT $1, ${key}, m.metric, t.exchange, t.simulated,
         date_bin('1 hour', t.${time}, 'epoch'::timestamptz), count(*), sum(m.value), min(m.value),
         max(m.value), (array_agg(m.value ORDER BY t.${time}, t.id))[1],
         (array_agg(m.value ORDER BY t.${time} DESC, t.id DESC))[1]
       FROM ${table} t CROSS JOIN LATERAL (VALUES ${values}) AS m (metric, value)
       WHERE t.${time} >= $2 AND t.${time} < $3 AND m.value IS NOT NULL
       GROUP BY 2, 3, 4, 5, 6
       ON CONFLICT (kind, key, metric, exchange, simulated, hour) DO UPDATE SET
         samples = excluded.samples, sum = excluded.sum, min = excluded.min, max = excluded.max,
         first = excluded.first, last = excluded.last`,
      [kind, new Date(from), new Date(to)],
    );
    await client.query('UPDATE rollup_progress SET complete_until = $2 WHERE kind = $1', [
      kind,
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

/** Brings every kind's hours up to the last one that is settled; any number of processes may do it. */
export async function rollUp(context: Context): Promise<void> {
  for (const kind of KIND_NAMES) {
    while (await rollStep(context, kind));
  }
}
