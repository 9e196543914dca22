import { Reply } from '@switchyard/server';
import { healthResponse, presentHealth } from '../health/health';
import { route } from './route';

export const healthRoutes = [
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
];
