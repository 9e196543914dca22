import { once } from 'node:events';
import type { Pool } from '@switchyard/db';
import type { Response } from 'express';
import { z } from 'zod';
import { accountSql } from '../exchange/owner';
import { moment, queryBoolean, storableText } from '../http/fields';
import { FILTERS, type HistoryTable, type Item } from '../kinds/kind';
import { createPresenter } from '../kinds/present-item';
import type { Resources } from '../resources';
import { csvLine, rowColumns } from './csv';
import { historyQuery } from './history-query';
import { type After, rawRows } from './raw-history';
import { checkFilters } from './read-history';
import { TABLES } from './tables';

const { symbol, asset, grid_id, timeframe } = historyQuery.shape;

export const exportQuery = z.strictObject({
  kind: z.enum(TABLES.map(({ name }) => name)),
  ...{ symbol, asset, grid_id, timeframe },
  exchange: storableText(64).optional(),
  account: storableText(32).optional(),
  simulated: queryBoolean.optional(),
  start: moment.optional(),
  end: moment.optional(),
  order: z.enum(['asc', 'desc']).default('asc'),
});

const PAGE = 1000;
export const NDJSON = 'application/x-ndjson';

/**
 * GET /metrics/export: streams every stored row of a range as CSV or JSON lines. Reads the next
 * page only after the client has received the previous one, so that neither side holds all rows in
 * memory.
 */
export async function exportHistory(
  { clock, db }: Resources,
  query: z.output<typeof exportQuery>,
  response: Response,
): Promise<void> {
  const table = TABLES.find(({ name }) => name === query.kind) as HistoryTable;
  const asked = historyQuery.parse({ kind: query.kind, order: query.order, limit: String(PAGE) });
  const filters = FILTERS.map((name) => [name, query[name]]);
  const page = {
    ...asked,
    ...Object.fromEntries(filters),
    exchange: query.exchange,
    account: query.account,
    simulated: query.simulated,
  };
  checkFilters(table, page);
  const window = {
    start: query.start ?? null,
    end: query.end ?? new Date(clock.now().getTime() + 1),
  };
  const isCsv = response.req.accepts(['text/csv', NDJSON]) !== NDJSON;
  response.type(isCsv ? 'text/csv; charset=utf-8' : NDJSON);
  let after: After | null = null;
  let columns: string[] | null = null;
  for (;;) {
    const rows = (await rawRows(db.pool, table, page, window, after)).slice(0, PAGE);
    const items = rows.map(createPresenter(table));
    columns ??= await columnsOf(db.pool, table, items[0]);
    const head = isCsv && after === null ? csvLine(columns) : '';
    const text = head + items.map((item) => lineOf(item, isCsv ? columns : null)).join('');
    if (response.destroyed) return;
    if (text !== '' && !response.write(text)) {
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    after = { at: (last[table.time] as Date).getTime(), tie: String(last.id) };
  }
  response.end();
}

async function columnsOf(pool: Pool, table: HistoryTable, first?: Item): Promise<string[]> {
  const columns = first ? Object.keys(first) : await rowColumns(pool, table);
  if (columns.includes('account')) return columns;
  const { rows } = await pool.query(
    `SELECT 1 FROM series WHERE kind = $1 AND ${accountSql('exchange')} <> '' LIMIT 1`,
    [table.name],
  );
  return rows.length > 0 ? [...columns, 'account'] : columns;
}

const lineOf = (item: Item, columns: readonly string[] | null): string =>
  columns ? csvLine(columns.map((column) => item[column])) : `${JSON.stringify(item)}\n`;
