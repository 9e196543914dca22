import { ask, statement } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import { THREAD_KINDS, type ThreadEntry, type ThreadQuery } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { type Cursor, decodeMarkedCursor, markOf, pageOf } from '../../lists/page';
import { withinBytes } from '../../lists/page-bytes';
import { presentListedApproval } from '../approvals/list-approvals';
import { presentListedRun } from '../runs/listed-run';
import { SOURCES } from './sources';

/**
 * A page may be shorter than `limit`; `X-Next-Cursor` is set if more entries follow. One statement
 * finds the page, another reads its content.
 */
export async function getThread(
  call: Call,
  issueId: string,
  query: ThreadQuery,
): Promise<Reply<ThreadEntry[]>> {
  const { limit, order, since } = query;
  const kinds = THREAD_KINDS.filter((kind) => query.kinds?.includes(kind) ?? true);
  const mark = markOf([order, kinds, since]);
  const cursor = decodeMarkedCursor(query.cursor, ['time', 'id'], mark);
  const first: Cursor = since === undefined ? OLDEST : [new Date(since).toISOString(), FIRST_ID];
  const [low, high] = order === 'asc' ? [cursor ?? first, NEWEST] : [first, cursor ?? NEWEST];
  const rows = await ask(call.db, order === 'asc' ? readOldest : readNewest, {
    companyId: call.companyId,
    issueId,
    kinds,
    limit,
    lowTime: low[0] as string,
    lowId: low[1] as string,
    highTime: high[0] as string,
    highId: high[1] as string,
  });
  const hasMore = (rows[0]?.found ?? 0) > Math.min(rows.length, limit);
  const shown = await readShown(call, rows.slice(0, limit));
  return pageOf(shown, limit, hasMore, presentEntry, ({ at, id }) => [at, id, mark]);
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const OLDEST: Cursor = ['-infinity', FIRST_ID];
const NEWEST: Cursor = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

function declareThread(name: string, direction: 'ASC' | 'DESC') {
  return statement(name, {
    takes: {
      companyId: 'uuid',
      issueId: 'uuid',
      kinds: 'text[]',
      lowTime: 'time',
      lowId: 'uuid',
      highTime: 'time',
      highId: 'uuid',
      limit: 'int',
    },
    gives: { kind: 'text', at: 'time', id: 'uuid', found: 'int' },
    sql: (p) => {
      const order = `at ${direction}, id ${direction}`;
      const parts = SOURCES.map(
        ({ kind, rows }) => `(SELECT '${kind}' AS kind, at, id, bytes FROM (${rows(p)}) part
          WHERE (at, id) > (${p.lowTime}, ${p.lowId}) AND (at, id) < (${p.highTime}, ${p.highId})
          ORDER BY ${order} LIMIT CASE WHEN '${kind}' = ANY (${p.kinds}) THEN ${p.limit} + 1 ELSE 0 END)`,
      );
      const rows = `SELECT * FROM (${parts.join(' UNION ALL ')}) merged`;
      return `
        SELECT entry.kind, entry.at, entry.id, entry.found
        FROM (${withinBytes({ rows, order, bytes: 'bytes', limit: p.limit })}) entry ORDER BY ${order}`;
    },
  });
}

const readNewest = declareThread('read-thread', 'DESC');
const readOldest = declareThread('read-thread-oldest-first', 'ASC');

interface Place {
  kind: string;
  at: string;
  id: string;
}

async function readShown<Entry extends Place>(call: Call, entries: Entry[]) {
  const [kinds, ids] = [entries.map(({ kind }) => kind), entries.map(({ id }) => id)];
  const rows = entries.length > 0 ? await ask(call.db, showEntries, { kinds, ids }) : [];
  const shown = new Map(rows.map((row) => [row.id, row.shown]));
  return entries.flatMap((entry) =>
    shown.get(entry.id) ? [{ ...entry, shown: shown.get(entry.id) }] : [],
  );
}

const showEntries = statement('show-thread-entries', {
  takes: { kinds: 'text[]', ids: 'uuid[]' },
  gives: { id: 'uuid', shown: 'json?' },
  sql: (p) => `
    SELECT entry.id, CASE entry.kind ${SOURCES.map(
      ({ kind, shown }) => `WHEN '${kind}' THEN (${shown('entry.id')})`,
    ).join(' ')} END AS shown
    FROM unnest(${p.kinds}, ${p.ids}) AS entry(kind, id)`,
});

interface Row {
  kind: string;
  at: string;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own.
  shown: any;
}

function presentEntry({ kind, at, id, shown }: Row): ThreadEntry {
  return { kind, id, at, ...partsOf(kind as ThreadEntry['kind'], shown) } as ThreadEntry;
}

function partsOf(kind: ThreadEntry['kind'], shown: Row['shown']) {
  if (kind === 'run') return { run: presentRun(shown) };
  if (kind === 'approval') return { approval: presentListedApproval(shown) };
  const { authorName, ...rest } = shown;
  return { authorName, [kind]: rest };
}

function presentRun({ logTail, ...run }: Row['shown']) {
  const tail = logTail === null ? null : Buffer.from(logTail, 'base64');
  const { issue: _, ...shown } = presentListedRun({ ...run, issue: null, logTail: tail });
  return shown;
}
