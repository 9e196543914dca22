import { errorFields } from '@switchyard/server';
import type { Context } from '../context';
import { endpoint } from '../http/endpoint';
import { createStateGauges } from './read-gauges';

export const expositionEndpoints = (context: Context) => {
  const { registry } = context.metrics;
  const readGauges = createStateGauges(registry);
  return [
    endpoint({
      method: 'GET',
      path: '/metrics',
      operation: 'getPrometheusPage',
      summary: 'Prometheus exposition',
      answers: { 200: 'text/plain' },
      handle: async () => {
        // The process's own numbers are worth most while the database is away.
        await readGauges(context).catch((error: unknown) =>
          context.logger.warn('the gauges could not be read', errorFields(error)),
        );
        const headers = { 'Content-Type': registry.contentType };
        return { status: 200, body: await registry.metrics(), headers };
      },
    }),
  ];
};
