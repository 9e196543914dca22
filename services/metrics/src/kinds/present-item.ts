import { decimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import type { HistoryTable, Item, Row } from './kind';

/** A stored row as an item of the history: its own names, decimals as texts, times in UTC. */
export const presentItem = (table: HistoryTable, row: Row): Item => createPresenter(table)(row);

/**
 * Presents rows of one statement, which have the same columns. Each item is a copy of one object that was made with all its
 * names: V8 turns an object to which more than twelve are added one by one into a hash table, and copying one of those
 * takes fifty times as long.
 */
export function createPresenter(table: HistoryTable): (row: Row) => Item {
  let made: { empty: Row; columns: { name: string; isDecimal: boolean }[] } | null = null;
  const owners = new Map<unknown, ReturnType<typeof presentOwner>>();
  const prepare = (row: Row) => {
    const names = Object.keys(row).filter((name) => !HIDDEN.has(name));
    // But for the account, which not every row has.
    const all = new Set(['kind', 'collection_id', ...names]);
    const empty = Object.fromEntries([...all].map((name) => [name, null]));
    const columns = names.map((name) => ({ name, isDecimal: table.decimals.includes(name) }));
    return { empty: { ...empty, kind: table.name }, columns };
  };
  const ownerOf = (exchange: unknown) => {
    const owner = owners.get(exchange) ?? presentOwner(String(exchange));
    owners.set(exchange, owner);
    return owner;
  };
  return (row) => {
    made ??= prepare(row);
    const item = { ...made.empty };
    for (const { name, isDecimal } of made.columns) item[name] = wire(row[name], isDecimal);
    return Object.assign(item, ownerOf(row.exchange), table.extra?.(row)) as Row as Item;
  };
}

const HIDDEN = new Set([
  'id',
  'collection_ref',
  'total_row',
  'answer',
  'request_hash',
  'lease_until',
]);

function wire(value: unknown, isDecimal: boolean): unknown {
  if (isDecimal) return value === null ? null : decimalText(value as string);
  return value instanceof Date ? value.toISOString() : value;
}
