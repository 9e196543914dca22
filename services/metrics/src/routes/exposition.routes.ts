import type { Context } from '../context';
import { endpoint } from '../http/endpoint';

export const expositionEndpoints = ({ exposition }: Context) => [
  endpoint({
    method: 'GET',
    path: '/metrics',
    operation: 'getPrometheusPage',
    summary: 'Prometheus exposition',
    answers: { 200: 'text/plain' },
    handle: async () => {
      const { text, contentType } = await exposition();
      return { status: 200, body: text, headers: { 'Content-Type': contentType } };
    },
  }),
];
