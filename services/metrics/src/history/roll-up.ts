import { inSqlTransaction } from '@switchyard/db';
import { togetherSql } from '../exchange/owner';
import type { HistoryTable } from '../kinds/kind';
import type { Resources } from '../resources';
import { TABLES } from './tables';

const HOUR = 3_600_000;
const SETTLED_MS = 10 * 60_000;
const LONGEST_STEP = 24 * HOUR;

const floorHour = (time: number) => Math.floor(time / HOUR) * HOUR;

type Rolled = Pick<HistoryTable, 'name' | 'table' | 'time' | 'key' | 'measures'> & {
  from?: string;
};

/**
 * Equity by quote currency: per account, and of all accounts together if they were read at the same
 * time.
 */
const EQUITY: Rolled = {
  name: 'equity',
  table: 'balance_snapshot',
  time: 'captured_at',
  key: 't.quote',
  measures: { equity: 't.equity' },
  from: `(
    SELECT id, captured_at, exchange, simulated, quote, total_equity AS equity FROM balance_snapshot WHERE asset IS NULL
    UNION ALL
    SELECT max(id), captured_at, ${togetherSql('exchange')}, simulated, quote, sum(total_equity)
    FROM balance_snapshot WHERE asset IS NULL
    GROUP BY collection_ref, captured_at, simulated, quote HAVING count(*) > 1 AND bool_and(total_equity IS NOT NULL))`,
};

export async function rollUp(resources: Resources): Promise<void> {
  for (const table of [...TABLES, EQUITY]) {
    while (await rollStep(resources, table));
  }
}

async function rollStep({ db, clock }: Resources, of: Rolled): Promise<boolean> {
  const { name, table, time, key, measures, from: source = table } = of;
  const settled = floorHour(clock.now().getTime() - SETTLED_MS);
  return inSqlTransaction(db.pool, async (tx) => {
    await tx.query(
      `INSERT INTO rollup_progress (kind, complete_until)
       SELECT $1, date_bin('1 hour', min(${time}), 'epoch'::timestamptz) FROM ${table}
       HAVING min(${time}) IS NOT NULL ON CONFLICT DO NOTHING`,
      [name],
    );
    const { rows } = await tx.query<{ complete_until: Date }>(
      'SELECT complete_until FROM rollup_progress WHERE kind = $1 FOR UPDATE',
      [name],
    );
    const from = rows[0]?.complete_until.getTime() ?? settled;
    const to = Math.min(from + LONGEST_STEP, settled);
    if (to <= from) return false;
    await tx.query(
      `INSERT INTO rollup_hour (kind, key, metric, exchange, simulated, hour, samples, sum, min, max,
         first, last)
       SELECT $1, hourly.key, m.metric, exchange, simulated, hour,
         m.total[1], m.total[2], m.total[3], m.total[4], m.total[5], m.total[6]
       FROM (
         SELECT ${key} AS key, t.exchange, t.simulated, date_bin('1 hour', t.${time}, 'epoch'::timestamptz) AS hour,
           ${Object.entries(measures).map(([name, sql]) => `${totalsOf(sql, time)} AS of_${name}`)}
         FROM ${source} t WHERE t.${time} >= $2 AND t.${time} < $3 GROUP BY 1, 2, 3, 4
       ) AS hourly
       CROSS JOIN LATERAL (VALUES ${Object.keys(measures).map((name) => `('${name}', of_${name})`)}) AS m (metric, total)
       WHERE m.total[1] > 0
       ON CONFLICT (kind, key, metric, exchange, simulated, hour) DO UPDATE SET
         samples = excluded.samples, sum = excluded.sum, min = excluded.min, max = excluded.max,
         first = excluded.first, last = excluded.last`,
      [name, new Date(from), new Date(to)],
    );
    await tx.query('UPDATE rollup_progress SET complete_until = $2 WHERE kind = $1', [
      name,
      new Date(to),
    ]);
    return true;
  });
}

/** One sort of the rows then serves all measures: 5 times faster than one row per measure. */
function totalsOf(measure: string, time: string): string {
  const inOrder = `array_agg(${measure} ORDER BY t.${time}, t.id) FILTER (WHERE ${measure} IS NOT NULL)`;
  return `ARRAY[count(${measure}), sum(${measure}), min(${measure}), max(${measure}),
    (${inOrder})[1], (${inOrder})[count(${measure})]]`;
}
