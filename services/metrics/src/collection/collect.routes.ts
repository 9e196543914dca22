import type { Context } from '../context';
import { endpoint } from '../http/endpoint';
import { collect } from './collect';
import { collectAnswer, collectFailure, collectRequest } from './collect-request';

export const collectEndpoints = (context: Context) => [
  endpoint({
    method: 'POST',
    path: '/metrics/collect',
    operation: 'collect',
    summary: 'Collect one snapshot of balance, markets, grids and regimes',
    body: collectRequest,
    bodyOptional: true,
    answers: { 200: collectAnswer, 500: collectFailure },
    handle: async ({ body }) => {
      const { status, answer, replayed } = await collect(context, body);
      const headers = replayed ? { 'Idempotency-Replayed': 'true' } : undefined;
      return { status, body: answer, ...(headers && { headers }) };
    },
  }),
];
