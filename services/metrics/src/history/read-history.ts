import { InvalidRequest, valueError } from '../http/invalid-request';
import { FILTERS, type HistoryTable } from '../kinds/kind';
import type { Resources } from '../resources';
import { bucketHistory } from './bucket-history';
import { readCursor, writeCursor } from './cursor';
import type { HistoryQuery } from './history-query';
import { collectionItems, type Page, rawHistory, tablesOf } from './raw-history';
import { TABLES } from './tables';

const DAY = 86_400_000;

export async function readHistory({ db, clock }: Resources, query: HistoryQuery) {
  const table = TABLES.find(({ name }) => name === query.kind);
  checkFilters(table, query);
  const now = clock.now();
  const after = readCursor(query);
  const isWhole = query.collection_id !== undefined;
  const end = after ? after.end : (query.end?.getTime() ?? (isWhole ? null : now.getTime() + 1));
  const first = isWhole ? null : (end ?? now.getTime()) - DAY;
  const start = after ? after.start : (query.start?.getTime() ?? first);
  if (start !== null && end !== null && start > end) {
    throw valueError(['query', 'start'], 'start must not be after end', query.start?.toISOString());
  }
  const window = {
    start: start === null ? null : new Date(start),
    end: end === null ? null : new Date(end),
  };
  let page: Page;
  if (table === undefined && isWhole) page = await collectionItems(db.pool, query);
  else if (table === undefined || query.interval === 'raw') {
    const tables = table ? [table] : tablesOf(query);
    page = await rawHistory(db.pool, tables, query, window, after);
  } else {
    const bounds = { start: window.start ?? new Date(0), end: window.end ?? now };
    page = await bucketHistory(db.pool, table, query, bounds, after);
  }
  const { limit, interval, agg, order } = query;
  return {
    items: page.items,
    pagination: {
      limit,
      has_more: page.next !== null,
      next_cursor: page.next ? writeCursor(query, { start, end, ...page.next }) : null,
      current_cursor: query.cursor ?? null,
    },
    query: {
      ...query,
      cursor: undefined,
      start: window.start?.toISOString() ?? null,
      end: window.end?.toISOString() ?? null,
      interval,
      agg,
      order,
    },
    generated_at: now.toISOString(),
  };
}

export function checkFilters(table: HistoryTable | undefined, query: HistoryQuery): void {
  if (table === undefined) {
    if (query.measure !== undefined) {
      throw valueError(['query', 'measure'], 'measure requires kind', query.measure);
    }
    if (query.interval === 'raw') return;
    const input = { ...query };
    throw new InvalidRequest([
      { type: 'missing', loc: ['query', 'kind'], msg: 'Field required', input },
    ]);
  }
  const { filters, measures, name: kind } = table;
  checkMeasure(measures, query);
  for (const name of FILTERS) {
    if (query[name] === undefined || filters.includes(name)) continue;
    throw valueError(['query', name], `${kind} cannot be filtered by ${name}`, query[name]);
  }
  if (query.collection_id !== undefined && query.interval !== 'raw') {
    const reason =
      'collection_id requires interval=raw, because one collection cannot be divided into intervals';
    throw valueError(['query', 'collection_id'], reason, query.collection_id);
  }
}

function checkMeasure(measures: HistoryTable['measures'], query: HistoryQuery): void {
  const { agg, interval, measure } = query;
  if (measure === undefined) return;
  const loc = ['query', 'measure'];
  if (!Object.hasOwn(measures, measure)) {
    throw valueError(
      loc,
      `must be one of ${Object.keys(measures).join(', ')} for kind ${query.kind}`,
      measure,
    );
  }
  if (interval === 'raw' || agg === 'last') {
    throw valueError(
      loc,
      'measure requires an interval other than raw, and agg avg, min, max or ohlc',
      measure,
    );
  }
}
