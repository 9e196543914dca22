import { opendir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ask, isId, statement } from '@switchyard/db';
import { runFolder } from '../../../config';
import type { Context } from '../../../context';

/**
 * Removes the folders that runs left on this worker's disk, when the run ended more than `days` ago. A
 * folder of a run that the database does not know belongs to another installation and stays.
 */
export async function pruneRunFolders(
  context: Pick<Context, 'config' | 'db'>,
  days: number,
  batch: number,
  isOver = () => false,
): Promise<number> {
  const { config, db } = context;
  let removed = 0;
  for await (const names of agedFolders(dirname(runFolder(config, 'any')), days, batch)) {
    if (names.length === 0) continue;
    const over = await ask(db, findLongOver, { ids: names, days });
    for (const { id } of over) {
      if (isOver()) return removed;
      await rm(runFolder(config, id), { recursive: true, force: true });
      removed += 1;
    }
  }
  return removed;
}

/** A folder in which a conversation goes on is as young as its last run. */
const findLongOver = statement('runs-long-over', {
  takes: { ids: 'uuid[]', days: 'int' },
  gives: { id: 'uuid' },
  sql: ({ ids, days }) => `
    SELECT id FROM heartbeat_run
    WHERE id = ANY (${ids}) AND finished_at < now() - make_interval(days => ${days})
      AND id::text NOT IN (SELECT right(directory, 36) FROM agent_session
        WHERE updated_at >= now() - make_interval(days => ${days}))`,
});

const DAY_MS = 86_400_000;

/** When a run with this id was made: UUID v7 begins with the milliseconds. */
const madeAt = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

/** Names of this worker's folders that may be old, some at a time. */
async function* agedFolders(root: string, days: number, batch: number) {
  let names: string[] = [];
  const folder = await opendir(root).catch(() => null);
  for await (const { name } of folder ?? []) {
    // A day of margin, because the clock that decides is the database's.
    if (isId(name) && madeAt(name) < Date.now() - (days - 1) * DAY_MS) names.push(name);
    if (names.length < batch) continue;
    yield names;
    names = [];
  }
  yield names;
}
