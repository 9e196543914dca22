import { decimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import type { HistoryTable, Item, Row } from './kind';

export const presentItem = (table: HistoryTable, row: Row): Item => createPresenter(table)(row);

export function createPresenter(table: HistoryTable): (row: Row) => Item {
  const owners = new Map<unknown, ReturnType<typeof presentOwner>>();
  const ownerOf = (exchange: unknown) => {
    const owner = owners.get(exchange) ?? presentOwner(String(exchange));
    owners.set(exchange, owner);
    return owner;
  };
  return (row) => {
    const item: Row = { kind: table.name, collection_id: null };
    for (const [name, value] of Object.entries(row)) {
      if (!HIDDEN.has(name)) item[name] = wire(value, table.decimals.includes(name));
    }
    return Object.assign(item, ownerOf(row.exchange), table.extra?.(row)) as Row as Item;
  };
}

const HIDDEN = new Set([
  'id',
  'collection_ref',
  'total_row',
  'answer',
  'brought_data',
  'request_hash',
  'lease_until',
]);

export function wire(value: unknown, isDecimal: boolean): unknown {
  if (isDecimal) return value === null ? null : decimalText(value as string);
  return value instanceof Date ? value.toISOString() : value;
}
