import { route } from './route';

export const expositionRoutes = [
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
