import type { Pool } from '@switchyard/db';
import { valueError } from '../http/invalid-request';
import { FILTERS, type HistoryTable, type Row } from '../kinds/kind';
import { createPresenter } from '../kinds/present-item';
import type { HistoryQuery } from './history-query';
import { type After, type Page, rawRows, type Window } from './raw-history';
import { TABLES } from './tables';

const SMALLEST = '0';
const LARGEST = '9223372036854775807';

type Present = ReturnType<typeof createPresenter>;

interface Found {
  table: HistoryTable;
  place: number;
  at: number;
  id: bigint;
  row: Row;
}

export async function mixedHistory(
  pool: Pool,
  query: HistoryQuery,
  window: Window,
  after: After | null,
): Promise<Page> {
  const pages = tablesOf(query).map(async (table): Promise<Found[]> => {
    const place = TABLES.indexOf(table);
    const rows = await rawRows(pool, table, query, window, afterOf(place, after));
    return rows.map((row) => {
      const at = (row[table.time] as Date).getTime();
      return { table, place, at, id: BigInt(String(row.id)), row };
    });
  });
  const found = (await Promise.all(pages)).flat().sort(inOrder);
  if (query.order === 'desc') found.reverse();
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  const presenters = new Map(TABLES.map((table) => [table, createPresenter(table)]));
  return {
    items: shown.map(({ table, row }) => (presenters.get(table) as Present)(row)),
    next:
      last && found.length > shown.length ? { at: last.at, tie: `${last.place}:${last.id}` } : null,
  };
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
