import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second there. */
const TICK_MS = 10;

function processMs(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}

/**
 * Milliseconds of processor time that a process and the PostgreSQL sessions of one database have used so far. Elsewhere
 * than on Linux, and for a PostgreSQL on another machine, what cannot be seen counts as 0.
 */
export async function usedMs(pid, pool) {
  const { rows } = await pool.query(
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  return {
    app: processMs(pid),
    database: new Map(rows.map((row) => [row.pid, processMs(row.pid)])),
  };
}

/** What was used between two readings; a session that ended meanwhile is left out. */
export function spentMs(before, after) {
  let database = 0;
  for (const [pid, ms] of after.database) database += ms - (before.database.get(pid) ?? 0);
  return { app: after.app - before.app, database };
}
