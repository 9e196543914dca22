import { Reply, TextBody } from '@switchyard/server';
import { findAccount } from '../accounts/find-account';
import { collectFailure, collectRequest, collectResponse } from '../collection/collect-contract';
import { dashboardPage } from '../dashboard/dashboard-page';
import { dashboardQuery, dashboardResponse, dashboardState } from '../dashboard/dashboard-state';
import { healthResponse, presentHealth } from '../health/health';
import { columnsOf, csvOf, itemColumns } from '../history/csv';
import { exportHistory, exportQuery, NDJSON } from '../history/export-history';
import { historyQuery, historyResponse } from '../history/history-query';
import { readHistory } from '../history/read-history';
import {
  analyzeRegime,
  analyzeRequest,
  analyzeResponse,
} from '../kinds/regime/requests/analyze-regime';
import {
  currentRegime,
  regimeQuery,
  regimeResponse,
} from '../kinds/regime/requests/current-regime';
import { gridRoutes } from './grids.routes';
import { type MetricsRoute, route } from './route';

export const ROUTES: readonly MetricsRoute[] = [
  route({
    method: 'GET',
    path: '/health',
    operation: 'getHealth',
    summary: 'Health of the service and its components',
    access: 'public',
    response: healthResponse,
    otherResponses: { 500: healthResponse },
    handle: async ({ context }) => {
      const body = presentHealth(context, await context.probeHealth());
      return new Reply(body, { status: body.status === 'ok' ? 200 : 500 });
    },
  }),
  route({
    method: 'POST',
    path: '/metrics/collect',
    operation: 'collect',
    summary: 'Collect one snapshot of balance, markets, grids and regimes',
    access: 'token',
    status: 200,
    body: collectRequest,
    response: collectResponse,
    otherResponses: { 500: collectFailure },
    responseHeaders: {
      'Idempotency-Replayed': 'true if this collection_id was collected before.',
      'X-Collection-Reused':
        'true if this is the response of the last collection, which started less than METRICS_MIN_INTERVAL_SEC ago.',
    },
    handle: async ({ body, context }) => {
      const { status, answer, replayed, reused } = await context.collector.collect(body);
      const headers = {
        ...(replayed && { 'Idempotency-Replayed': 'true' }),
        ...(reused && { 'X-Collection-Reused': 'true' }),
      };
      const text = new TextBody('application/json; charset=utf-8', answer);
      return new Reply(text, { status, headers });
    },
  }),
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
  route({
    method: 'GET',
    path: '/regime/current',
    operation: 'getCurrentRegimes',
    summary: 'The last known regime of each symbol',
    access: 'token',
    query: regimeQuery,
    response: regimeResponse,
    errors: ['not_found'],
    handle: ({ context, query }) => currentRegime(context, query),
  }),
  route({
    method: 'POST',
    path: '/regime/analyze',
    operation: 'analyzeRegime',
    summary: 'Analyse the regime now',
    access: 'token',
    status: 200,
    body: analyzeRequest,
    response: analyzeResponse,
    handle: ({ context, body }) => analyzeRegime(findAccount(context, body.account, 'body'), body),
  }),
  ...gridRoutes,
  route({
    method: 'GET',
    path: '/dashboard',
    operation: 'getDashboardPage',
    summary: 'The dashboard as one self-contained page',
    access: 'token',
    streams: 'text/html',
    handle: ({ response }) => {
      const { html, policy } = dashboardPage();
      response.set('Content-Security-Policy', policy).type('html').send(html);
    },
  }),
  route({
    method: 'GET',
    path: '/dashboard/state',
    operation: 'getDashboardState',
    summary: 'Initial data of the dashboard',
    access: 'token',
    query: dashboardQuery,
    response: dashboardResponse,
    handle: ({ context, query }) => dashboardState(findAccount(context, query.account, 'query')),
  }),
  route({
    method: 'GET',
    path: '/metrics',
    operation: 'getPrometheusPage',
    summary: 'Prometheus exposition',
    access: 'token',
    streams: 'text/plain',
    handle: async ({ context, response }) => {
      const { text, contentType } = await context.exposition();
      response.set('Content-Type', contentType).send(text);
    },
  }),
];
