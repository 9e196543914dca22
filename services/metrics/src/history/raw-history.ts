import type { Pool } from '@switchyard/db';
import { collectionIdSql, type HistoryTable, type Item, type Row } from '../kinds/kind';
import { KINDS } from '../kinds/kinds';
import { createPresenter } from '../kinds/present-item';
import { createValues, filterConditions } from './conditions';
import type { HistoryQuery } from './history-query';

export interface Window {
  start: Date | null;
  end: Date | null;
}

export interface After {
  at: number;
  tie: string;
}

export interface Page {
  items: Item[];
  next: After | null;
}

export async function rawRows(
  pool: Pool,
  table: HistoryTable,
  query: HistoryQuery,
  window: Window,
  after: After | null,
): Promise<Row[]> {
  const { time } = table;
  const values = createValues();
  const conditions = filterConditions(table, query, values);
  const isUp = query.order === 'asc';
  if (window.start && !(after && isUp)) {
    conditions.push(`t.${time} >= ${values.add(window.start)}`);
  }
  if (window.end && !(after && !isUp)) conditions.push(`t.${time} < ${values.add(window.end)}`);
  if (after) {
    const sign = isUp ? '>' : '<';
    const at = values.add(new Date(after.at));
    conditions.push(`(t.${time}, t.id) ${sign} (${at}, ${values.add(after.tie)}::bigint)`);
  }
  const { rows } = await pool.query<Row>(
    `SELECT t.*${collectionIdSql(table, 't')} FROM ${table.table} t
     ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
     ORDER BY t.${time} ${query.order}, t.id ${query.order}
     LIMIT ${values.add(query.limit + 1)}`,
    values.list,
  );
  return rows;
}

export async function rawHistory(
  pool: Pool,
  table: HistoryTable,
  query: HistoryQuery,
  window: Window,
  after: After | null,
): Promise<Page> {
  const rows = await rawRows(pool, table, query, window, after);
  const { time } = table;
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > query.limit && last !== undefined;
  return {
    items: shown.map(createPresenter(table)),
    next: hasMore ? { at: (last[time] as Date).getTime(), tie: String(last.id) } : null,
  };
}

export async function collectionItems(pool: Pool, query: HistoryQuery): Promise<Page> {
  const everything = { ...query, limit: 100_000, order: 'asc' as const };
  const items: Item[] = [];
  for (const kind of KINDS) {
    const none = { start: null, end: null };
    items.push(...(await rawHistory(pool, kind, everything, none, null)).items);
  }
  return { items, next: null };
}
