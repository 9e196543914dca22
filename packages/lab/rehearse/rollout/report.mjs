import { setTimeout as sleep } from 'node:timers/promises';

const LOST = `SELECT id, status, error_code FROM heartbeat_run WHERE status IN ('queued', 'running')`;
const ENDS = `SELECT status, error_code, attempt, count(*)::int AS count FROM heartbeat_run GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

const HANDED_OVER =
  'SELECT count(*)::int AS count FROM heartbeat_run WHERE epoch > 1 AND attempt = 1';

export async function untilSettled(database, seconds) {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(500)) {
    const open = await database.query(LOST);
    if (open.length === 0) return [];
  }
  return database.query(LOST);
}

export async function report({ say, client, waking, longRuns, outcomes, lost, database }) {
  const { requests, retried, failed, slowestMs } = client.count;
  const rows = await database.query('SELECT id, status, epoch, attempt FROM heartbeat_run');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const unknown = [...waking.runs].filter((id) => !byId.has(id));
  const long = longRuns.map((id) => byId.get(id));
  const restarted = long.filter(({ status, epoch, attempt }) => !isFirst(status, epoch, attempt));
  const ends = await database.query(ENDS);
  const unwanted = ends.filter(({ status }) => status !== 'succeeded');
  const killed = outcomes.filter(({ outcome, restarts }) => outcome !== 0 || restarts > 0);
  say(
    `requests: ${requests}, repeated once: ${retried}, failed after that: ${failed.length}, slowest ${slowestMs} ms`,
  );
  say(
    `runs accepted: ${waking.runs.size}; without a row: ${unknown.length}, without an end: ${lost.length}`,
  );
  for (const { status, error_code, attempt, count } of ends) {
    say(`  ${status}${error_code ? ` (${error_code})` : ''} in attempt ${attempt}: ${count}`);
  }
  const [{ count: again }] = await database.query(HANDED_OVER);
  say(`handed over, and ended by another runner: ${again}`);
  say(`long runs: ${long.length}, restarted: ${restarted.length}`);
  const slowest = Math.max(...outcomes.map(({ tookMs }) => tookMs));
  say(
    `pods replaced: ${outcomes.length}, longest stop ${(slowest / 1000).toFixed(1)} s, not ended by SIGTERM: ${killed.length}`,
  );
  for (const text of failed.slice(0, 10)) say(`  failed: ${text}`);
  const wrong = [...killed, ...unwanted, ...lost, ...restarted];
  for (const one of wrong) say(`  ${JSON.stringify(one)}`);
  return wrong.length + failed.length + unknown.length === 0;
}

const isFirst = (status, epoch, attempt) =>
  status === 'succeeded' && Number(epoch) === 1 && attempt === 1;
