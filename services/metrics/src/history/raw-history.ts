import type { Pool } from '@switchyard/db';
import { valueError } from '../http/invalid-request';
import { collectionIdSql, FILTERS, type HistoryTable, type Item, type Row } from '../kinds/kind';
import { KINDS } from '../kinds/kinds';
import { createPresenter } from '../kinds/present-item';
import { createValues, filterConditions } from './conditions';
import type { HistoryQuery } from './history-query';
import { TABLES } from './tables';

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

interface Found {
  place: number;
  at: number;
  id: bigint;
  present: () => Item;
}

export async function rawHistory(
  pool: Pool,
  tables: readonly HistoryTable[],
  query: HistoryQuery,
  window: Window,
  after: After | null,
): Promise<Page> {
  const pages = tables.map(async (table): Promise<Found[]> => {
    const place = TABLES.indexOf(table);
    const rows = await rawRows(pool, table, query, window, afterOf(place, after));
    const present = createPresenter(table);
    return rows.map((row) => {
      const at = (row[table.time] as Date).getTime();
      return { place, at, id: BigInt(String(row.id)), present: () => present(row) };
    });
  });
  const found = (await Promise.all(pages)).flat().sort(inOrder);
  if (query.order === 'desc') found.reverse();
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ present }) => present()),
    next:
      last && found.length > shown.length ? { at: last.at, tie: `${last.place}:${last.id}` } : null,
  };
}

export async function collectionItems(pool: Pool, query: HistoryQuery): Promise<Page> {
  const everything = { ...query, limit: 100_000, order: 'asc' as const };
  const items: Item[] = [];
  for (const kind of KINDS) {
    const none = { start: null, end: null };
    const rows = await rawRows(pool, kind, everything, none, null);
    items.push(...rows.map(createPresenter(kind)));
  }
  return { items, next: null };
}

export function tablesOf(query: HistoryQuery): HistoryTable[] {
  const asked = FILTERS.filter((name) => query[name] !== undefined);
  const tables = TABLES.filter(({ filters }) => asked.every((name) => filters.includes(name)));
  const [first] = asked;
  if (tables.length > 0 || first === undefined) return tables;
  throw valueError(
    ['query', first],
    `no kind can be filtered by all of ${asked.join(', ')}`,
    query[first],
  );
}

const SMALLEST = '0';
const LARGEST = '9223372036854775807';

function afterOf(place: number, after: After | null): After | null {
  if (after === null) return null;
  const [last, id] = after.tie.split(':') as [string, string];
  if (place === Number(last)) return { at: after.at, tie: id };
  return { at: after.at, tie: place < Number(last) ? LARGEST : SMALLEST };
}

function inOrder(one: Found, other: Found): number {
  if (one.at !== other.at) return one.at - other.at;
  if (one.place !== other.place) return one.place - other.place;
  return one.id < other.id ? -1 : 1;
}
