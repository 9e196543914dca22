import type { Pool } from '@switchyard/db';
import { collectionIdSql, type HistoryTable, type Row } from '../kinds/kind';
import { KINDS } from '../kinds/kinds';
import { createPresenter } from '../kinds/present-item';
import { presentSums, type Sums } from './fill-buckets';
import type { HistoryQuery } from './history-query';
import { tablesOf } from './raw-history';
import { TABLES } from './tables';

export const columnsOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

export function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))];
  return lines.map(csvLine).join('');
}

export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export async function itemColumns(pool: Pool, query: HistoryQuery): Promise<string[]> {
  const table = TABLES.find(({ name }) => name === query.kind);
  if (table && query.interval !== 'raw') return bucketColumns(pool, table, query);
  const ofCollection = query.collection_id === undefined ? tablesOf(query) : KINDS;
  const tables = table ? [table] : ofCollection;
  const columns = await Promise.all(tables.map((one) => rowColumns(pool, one)));
  return [...new Set(columns.flat())];
}

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
