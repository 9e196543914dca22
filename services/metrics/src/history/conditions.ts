import { accountSql, exchangeSql } from '../exchange/owner';
import type { HistoryTable } from '../kinds/kind';
import type { HistoryQuery } from './history-query';

export interface Values {
  list: unknown[];
  add(value: unknown): string;
}

export function createValues(): Values {
  const list: unknown[] = [];
  return { list, add: (value) => `$${list.push(value)}` };
}

export function filterConditions(
  table: HistoryTable,
  query: HistoryQuery,
  values: Values,
): string[] {
  const conditions: string[] = [];
  for (const name of table.filters) {
    if (name === 'asset' && query.asset === '') conditions.push('t.asset IS NULL');
    else if (query[name] !== undefined) conditions.push(`t.${name} = ${values.add(query[name])}`);
  }
  if (query.exchange !== undefined) {
    conditions.push(`${exchangeSql('t.exchange')} = ${values.add(query.exchange)}`);
  }
  if (query.account !== undefined) {
    conditions.push(`${accountSql('t.exchange')} = ${values.add(query.account)}`);
  }
  if (query.simulated !== undefined)
    conditions.push(`t.simulated = ${values.add(query.simulated)}`);
  if (query.collection_id !== undefined) {
    const id = values.add(query.collection_id);
    if (table.table === 'collection') conditions.push(`t.collection_id = ${id}`);
    else {
      conditions.push(`t.collection_ref = (SELECT id FROM collection WHERE collection_id = ${id})`);
    }
  }
  return conditions;
}
