import { collectFailure, collectRequest, collectResponse } from '../collection/collect-contract';
import type { Context } from '../context';
import { endpoint } from '../http/endpoint';

export const collectEndpoints = (context: Context) => [
  endpoint({
    method: 'POST',
    path: '/metrics/collect',
    operation: 'collect',
    summary: 'Collect one snapshot of balance, markets, grids and regimes',
    body: collectRequest,
    bodyOptional: true,
    answerHeaders: {
      'Idempotency-Replayed': 'true when this collection_id was collected before.',
      'X-Collection-Reused':
        'true when the answer is that of the last collection, which began less than METRICS_MIN_INTERVAL_SEC ago.',
    },
    answers: { 200: collectResponse, 500: collectFailure },
    handle: async ({ body }) => {
      const { status, answer, replayed, reused } = await context.collector.collect(body);
      const headers = {
        ...(replayed && { 'Idempotency-Replayed': 'true' }),
        ...(reused && { 'X-Collection-Reused': 'true' }),
      };
      return { status, body: answer, headers };
    },
  }),
];
