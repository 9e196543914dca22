import type { Pool } from '@switchyard/db';
import { collectionIdSql, type HistoryTable, type Row } from '../kinds/kind';
import { KINDS } from '../kinds/kinds';
import { createPresenter } from '../kinds/present-item';
import { presentSums, type Sums } from './fill-buckets';
import type { HistoryQuery } from './history-query';
import { tablesOf } from './mixed-history';
import { TABLES } from './tables';

/** Fields of the items that a query of the history may answer, for the header line of one that answers none. */
export async function itemColumns(pool: Pool, query: HistoryQuery): Promise<string[]> {
  const table = TABLES.find(({ name }) => name === query.kind);
  if (table && query.interval !== 'raw') return bucketColumns(pool, table, query);
  const ofCollection = query.collection_id === undefined ? tablesOf(query) : KINDS;
  const tables = table ? [table] : ofCollection;
  const columns = await Promise.all(tables.map((one) => rowColumns(pool, one)));
  return [...new Set(columns.flat())];
}

/** Fields of the items of a table. */
export async function rowColumns(pool: Pool, table: HistoryTable): Promise<string[]> {
  const { fields } = await pool.query(
    `SELECT t.*${collectionIdSql(table, 't')} FROM ${table.table} t LIMIT 0`,
  );
  const blank: Row = Object.fromEntries(fields.map(({ name }) => [name, null]));
  return Object.keys(createPresenter(table)({ ...blank, [table.time]: new Date(0) }));
}

async function bucketColumns(
  pool: Pool,
  table: HistoryTable,
  query: HistoryQuery,
): Promise<string[]> {
  const label = table.label ? ['label', 'label_counts'] : [];
  const ends = [...label, 'bucket_start', 'samples'];
  if (query.agg === 'last') return [...new Set([...(await rowColumns(pool, table)), ...ends])];
  const zero = {
    start: new Date(0),
    samples: 1,
    sum: '0',
    min: '0',
    max: '0',
    first: '0',
    last: '0',
  };
  const metrics = query.measure === undefined ? Object.keys(table.measures) : [query.measure];
  const sums = metrics.map((metric): Sums => ({ ...zero, metric }));
  const values = Object.keys(presentSums(query, table, sums));
  return ['kind', 'exchange', 'simulated', ...Object.keys(table.named('')), ...values, ...ends];
}
