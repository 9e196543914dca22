import { finishApplication, requestLog } from '@switchyard/server';
import express, { type Application } from 'express';
import type { Context } from './context';
import { mountDocs } from './docs/mount-docs';
import { observeRequests } from './exposition/observe-requests';
import { mountEndpoints } from './http/mount-endpoints';
import { presentError } from './http/present-error';
import { allEndpoints } from './routes';

export function createApplication(context: Context): Application {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(requestLog(context.logger));
  app.use(observeRequests(context.metrics));
  const endpoints = allEndpoints(context);
  mountEndpoints(app, endpoints);
  mountDocs(app, endpoints);
  finishApplication(app, context.logger, presentError);
  return app;
}
