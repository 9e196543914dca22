import { Reply, TextBody } from '@switchyard/server';
import { columnsOf, csvOf, itemColumns } from '../history/csv';
import { exportHistory, exportQuery, NDJSON } from '../history/export-history';
import { historyQuery, historyResponse } from '../history/history-query';
import { readHistory } from '../history/read-history';
import { route } from './route';

export const historyRoutes = [
  route({
    method: 'GET',
    path: '/metrics/history',
    operation: 'getHistory',
    summary: 'Stored snapshots, raw or in buckets; CSV with Accept: text/csv',
    access: 'token',
    query: historyQuery,
    response: historyResponse,
    alternative: 'text/csv',
    handle: async ({ context, query, request }) => {
      const history = await readHistory(context, query);
      if (request.accepts(['application/json', 'text/csv']) !== 'text/csv') return history;
      const next = history.pagination.next_cursor;
      const { items } = history;
      const columns =
        items.length > 0 ? columnsOf(items) : await itemColumns(context.db.pool, query);
      const text = new TextBody('text/csv; charset=utf-8', csvOf(columns, items));
      return new Reply(text, { headers: { ...(next && { 'X-Next-Cursor': next }) } });
    },
  }),
  route({
    method: 'GET',
    path: '/metrics/export',
    operation: 'exportHistory',
    summary:
      'Every stored row of a range as CSV, or as JSON lines with Accept: application/x-ndjson',
    access: 'token',
    query: exportQuery,
    streams: 'text/csv',
    alternative: NDJSON,
    handle: ({ context, query, response }) => exportHistory(context, query, response),
  }),
];
