import type { Context } from '../context';
import { csvOf } from '../history/csv';
import { historyQuery, historyResponse } from '../history/history-query';
import { readHistory } from '../history/read-history';
import { endpoint } from '../http/endpoint';

export const historyEndpoints = (context: Context) => [
  endpoint({
    method: 'GET',
    path: '/metrics/history',
    operation: 'getHistory',
    summary: 'Stored snapshots, one by one or in buckets; CSV with Accept: text/csv',
    query: historyQuery,
    answers: { 200: historyResponse },
    alternative: 'text/csv',
    handle: async ({ query, request }) => {
      const history = await readHistory(context, query);
      if (request.accepts(['application/json', 'text/csv']) !== 'text/csv') {
        return { status: 200, body: history };
      }
      const next = history.pagination.next_cursor;
      const headers = {
        'Content-Type': 'text/csv; charset=utf-8',
        ...(next && { 'X-Next-Cursor': next }),
      };
      return { status: 200, body: csvOf(history.items), headers };
    },
  }),
];
