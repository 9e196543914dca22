import type { Context } from '../context';
import { healthResponse, presentHealth } from '../health/health';
import { endpoint } from '../http/endpoint';

export const healthEndpoints = (context: Context) => {
  return [
    endpoint({
      method: 'GET',
      path: '/health',
      operation: 'getHealth',
      summary: 'Whether the service can collect',
      isOpen: true,
      answers: { 200: healthResponse, 500: healthResponse },
      handle: async () => {
        const body = presentHealth(context, await context.probeHealth());
        return { status: body.status === 'ok' ? 200 : 500, body };
      },
    }),
  ];
};
