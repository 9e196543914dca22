import {
  finishApplication,
  type HealthOptions,
  mountProbes,
  ownHostsOnly,
  requestLog,
} from '@switchyard/server';
import express, { type Application } from 'express';
import type { Context } from '../kernel/context';
import { queueGauges } from './queue-gauges';
import { runnerGauges } from './runner-gauges';

export function createMetricsApplication(
  context: Context,
  health?: HealthOptions,
  mountMore: (app: Application) => void = () => undefined,
): Application {
  const { registry } = context.metrics;
  const gauges = [queueGauges(context), runnerGauges(context)];
  const app = express();
  app.disable('x-powered-by');
  app.use(requestLog(context.logger));
  mountMore(app);
  app.use(ownHostsOnly({ names: context.config.network.prometheusHosts, addresses: 'any' }));
  if (health) mountProbes(app, health);
  app.get('/metrics', async (_request, response) => {
    await Promise.all(gauges.map((each) => each.refresh()));
    response.type(registry.contentType).send(await registry.metrics());
  });
  finishApplication(app, context.logger, context);
  return app;
}
