import { assertSchemaVersion } from '@switchyard/db';
import {
  checkHealth,
  finishApplication,
  type HealthOptions,
  mount,
  mountProbes,
  requestLog,
} from '@switchyard/server';
import express, { type Application } from 'express';
import helmet from 'helmet';
import { localRequestsOnly, ownOriginOnly } from './access/same-origin';
import type { Context } from './context';
import { mountLoginPage } from './login-page';
import { orchestrationPipeline } from './pipeline';
import { allRoutes } from './routes';

/** What must answer before a process takes work; Redis only carries hints, so it is shown and no more. */
export function healthOf(context: Context, isStopping: () => boolean): HealthOptions {
  return {
    required: {
      database: () => assertSchemaVersion(context.db.pool, 'orchestration'),
    },
    observed: {
      redis: async () => {
        await context.queues.producer.ping();
      },
    },
    isStopping,
  };
}

export function createApplication(context: Context, isStopping: () => boolean): Application {
  const { config, logger } = context;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustedProxyHops);
  app.use(requestLog(logger));
  const health = healthOf(context, isStopping);
  mountProbes(app, health);
  const isSecure = config.signIn?.session.secureCookie === true;
  app.use(helmet({ strictTransportSecurity: isSecure && { includeSubDomains: false } }));
  app.use(context.signIn ? ownOriginOnly(config.publicUrl) : localRequestsOnly(config.publicUrl));
  if (context.signIn) mountLoginPage(app);
  app.get('/api/health', async (_request, response) => {
    const { ready, components } = await checkHealth(health);
    const status = ready ? 'ok' : 'unavailable';
    const timestamp = new Date().toISOString();
    response.status(ready ? 200 : 503).json({ status, timestamp, components });
  });
  mount(app, allRoutes(context), orchestrationPipeline(context));
  finishApplication(app, logger);
  return app;
}
