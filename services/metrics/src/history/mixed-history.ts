import type { Pool } from '@switchyard/db';
import { valueError } from '../http/failures';
import type { HistoryQuery } from './history-query';
import { KIND_NAMES, KINDS, type Kind, type KindName } from './kinds';
import { presentItem, type Row } from './present-item';
import { type After, type Page, rawRows, type Window } from './raw-history';

const SMALLEST = '0';
const LARGEST = '9223372036854775807';

/** The kinds that have every filter which was asked for. @throws InvalidRequest when none has */
function kindsOf(query: HistoryQuery): KindName[] {
  const asked = (['symbol', 'asset', 'grid_id'] as const).filter(
    (name) => query[name] !== undefined,
  );
  const has = (kind: Kind) => asked.every((name) => kind.filters.includes(name));
  const kinds = KIND_NAMES.filter((name) => has(KINDS[name]));
  const [first] = asked;
  if (kinds.length > 0 || first === undefined) return kinds;
  throw valueError(['query', first], `no kind has all of ${asked.join(', ')}`, query[first]);
}

/** Where a kind goes on: items of one time are in order of kind, so that some kinds are past it and some are not. */
function afterOf(place: number, after: After | null): After | null {
  if (after === null) return null;
  const [last, id] = after.tie.split(':') as [string, string];
  if (place === Number(last)) return { at: after.at, tie: id };
  return { at: after.at, tie: place < Number(last) ? LARGEST : SMALLEST };
}

interface Found {
  kind: KindName;
  place: number;
  at: number;
  id: bigint;
  row: Row;
}

function inOrder(one: Found, other: Found): number {
  if (one.at !== other.at) return one.at - other.at;
  if (one.place !== other.place) return one.place - other.place;
  return one.id < other.id ? -1 : 1;
}

/** Stored rows of all kinds in order of time. */
export async function mixedHistory(
  pool: Pool,
  query: HistoryQuery,
  window: Window,
  after: After | null,
): Promise<Page> {
  const pages = kindsOf(query).map(async (kind): Promise<Found[]> => {
    const place = KIND_NAMES.indexOf(kind);
    const rows = await rawRows(pool, kind, query, window, afterOf(place, after));
    const { time } = KINDS[kind];
    return rows.map((row) => {
      const at = (row[time] as Date).getTime();
      return { kind, place, at, id: BigInt(String(row.id)), row };
    });
  });
  const found = (await Promise.all(pages)).flat().sort(inOrder);
  if (query.order === 'desc') found.reverse();
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ kind, row }) => presentItem(kind, row)),
    next:
      last && found.length > shown.length ? { at: last.at, tie: `${last.place}:${last.id}` } : null,
  };
}
