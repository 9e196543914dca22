import { decimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import type { HistoryTable, Item, Row } from './kind';

/** A stored row as an item of the history: its own names, decimals as texts, times in UTC. */
export function presentItem(table: HistoryTable, row: Row): Item {
  const item: Row = { kind: table.name, collection_id: row.collection_id };
  for (const [name, value] of Object.entries(row)) {
    if (!HIDDEN.has(name)) item[name] = wire(value, table.decimals.includes(name));
  }
  return { ...item, ...presentOwner(String(row.exchange)), ...table.extra?.(row) } as Item;
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
  if (value instanceof Date) return value.toISOString();
  if (isDecimal && value !== null) return decimalText(value as string);
  return value;
}
