import { decimalText } from '../decimal';
import { KINDS, type KindName } from './kinds';

export type Row = Record<string, unknown>;

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

/** A stored row as an item of the history: its own names, decimals as texts, times in UTC. */
export function presentItem(kind: KindName, row: Row): Row {
  const decimals: readonly string[] = KINDS[kind].decimals;
  const item: Row = { kind, collection_id: row.collection_id };
  for (const [name, value] of Object.entries(row)) {
    if (!HIDDEN.has(name)) item[name] = wire(value, decimals.includes(name));
  }
  if (kind === 'balance' && row.total_row === true) item.total = true;
  if (kind === 'collection') item.captured_at = item.started_at;
  return item;
}
