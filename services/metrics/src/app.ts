import { finishApplication, requestLog } from '@switchyard/server';
import express, { type Application } from 'express';
import type { Context } from './context';
import { mountHealth } from './health/health.routes';

export function createApplication(context: Context): Application {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(requestLog(context.logger));
  mountHealth(app, context);
  finishApplication(app, context.logger);
  return app;
}
