import { assertSchemaVersion } from '@switchyard/db';
import {
  finishApplication,
  mount,
  mountProbes,
  observeRequests,
  ownHostsOnly,
  ownPagesOnly,
  requestLog,
} from '@switchyard/server';
import express, { type Application } from 'express';
import type { Context } from './context';
import { METRIC_PREFIX } from './create-gauge';
import { mountDocs } from './docs/openapi';
import { requireToken } from './http/require-token';
import { mountMetricsTools } from './mcp/metrics-tools';
import { createPipeline } from './routes/route';
import { ROUTES } from './routes/routes';

export function createApplication(
  context: Context,
  isStopping: () => boolean = () => false,
): Application {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(requestLog(context.logger));
  app.use((_request, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Frame-Options', 'DENY');
    next();
  });
  const { allowedHosts, token } = context.config;
  app.use(ownHostsOnly({ names: allowedHosts, addresses: 'any' }));
  app.use(ownPagesOnly([]));
  if (token !== null) app.use(requireToken(token));
  const database = () => assertSchemaVersion(context.db.pool, 'metrics');
  mountProbes(app, { required: { database }, isStopping });
  app.use(observeRequests(context.registry, METRIC_PREFIX));
  const pipeline = createPipeline(context);
  mount(app, ROUTES, pipeline);
  mountMetricsTools(app, ROUTES, pipeline, context);
  mountDocs(app, ROUTES);
  finishApplication(app, context.logger, {
    recordRefusal: context.recordRefusal,
    presentError: pipeline.presentError,
  });
  return app;
}
