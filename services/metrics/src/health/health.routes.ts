import type { Context } from '../context';
import { endpoint } from '../http/endpoint';
import { createHealthProbe, healthAnswer, presentHealth } from './health';

export const healthEndpoints = (context: Context) => {
  const probe = createHealthProbe(context);
  return [
    endpoint({
      method: 'GET',
      path: '/health',
      operation: 'getHealth',
      summary: 'Whether the service can collect',
      isOpen: true,
      answers: { 200: healthAnswer, 500: healthAnswer },
      handle: async () => {
        const body = presentHealth(context, await probe());
        return { status: body.status === 'ok' ? 200 : 500, body };
      },
    }),
  ];
};
