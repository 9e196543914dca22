import { finishApplication, requestLog } from '@switchyard/server';
import express, { type Application } from 'express';
import type { Context } from './context';
import { mountEndpoints } from './http/mount-endpoints';
import { presentError } from './http/present-error';
import { allEndpoints } from './routes';

export function createApplication(context: Context): Application {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(requestLog(context.logger));
  mountEndpoints(app, allEndpoints(context));
  finishApplication(app, context.logger, presentError);
  return app;
}
