import { Reply, TextBody } from '@switchyard/server';
import { collectFailure, collectRequest, collectResponse } from '../collection/collect-contract';
import { route } from './route';

export const collectRoutes = [
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
];
