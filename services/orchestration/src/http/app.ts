import { assertSchemaVersion } from '@switchyard/db';
import { LLMS_TXT } from '@switchyard/runner/agents/coding-agents/prompt/skill';
import {
  ApiError,
  checkHealth,
  finishApplication,
  type HealthOptions,
  inOrder,
  mount,
  mountDocsFiles,
  mountProbes,
  requestLog,
  VERSION,
} from '@switchyard/server';
import express, { type Application, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { actAsAnonymous } from '../access/acting-as';
import { localRequestsOnly, ownOriginOnly } from '../access/network/same-origin';
import { trustProxies } from '../access/network/trusted-proxies';
import { signInOf } from '../access/sign-in/sign-in';
import type { Context } from '../kernel/context';
import { createMetricsApplication } from '../observability/probes';
import { assertRunnerPresent } from '../observability/runner-state';
import type { OrchestrationRoute } from '../route';
import { serveConsole } from './console/serve-console';
import { mountTools } from './mcp/mount-tools';
import { DOCS_PAGE } from './openapi/docs.routes';
import { orchestrationPipeline } from './pipeline';
import { allRoutes } from './routes';

const STALLED_MS = 10_000;
const STUCK_MS = 60_000;

/**
 * Reports Redis without requiring it, because Redis only carries hints. The process counts as stuck
 * only if the database replies to probes while the pool serves no requests; if the database is
 * down, a restart does not help.
 */
function healthOf(context: Context, isStopping: () => boolean): HealthOptions {
  const { probePool, poolStallMs } = context;
  let databaseAnswers = false;
  return {
    required: {
      database: async () => {
        databaseAnswers = false;
        await assertSchemaVersion(probePool, 'orchestration');
        databaseAnswers = true;
      },
      pool: async () => {
        if (poolStallMs() >= STALLED_MS) throw new Error('the connection pool is stalled');
      },
    },
    isStuck: () => databaseAnswers && poolStallMs() >= STUCK_MS,
    observed: {
      redis: async () => {
        await context.queues.producer.ping();
      },
    },
    isStopping,
  };
}

export type Listener = 'everybody' | 'agents';

/**
 * The agents' port does not serve these paths, because they would be another way to guess
 * passwords.
 */
const isForPeople = (path: string) => path.startsWith('/api/auth/');

function keepFromCaches(request: Request, response: Response, next: NextFunction): void {
  if (/^\/api\//i.test(request.path)) response.setHeader('Cache-Control', 'no-store');
  next();
}

export function createWorkerApplication(context: Context, isStopping: () => boolean): Application {
  return createMetricsApplication(context, workerHealth(context, isStopping), (app) => {
    app.use(inOrder(actAsAnonymous, keepFromCaches));
    const pipeline = orchestrationPipeline({ context, servesOwnRunners: true });
    mount(app, allRoutes.filter(isForRunners), pipeline);
  });
}

/** Most agents need a runner, so the worker's health reports a missing one. */
function workerHealth(context: Context, isStopping: () => boolean): HealthOptions {
  const health = healthOf(context, isStopping);
  if (context.config.authMode !== 'authenticated') return health;
  const runners = () => assertRunnerPresent(context.probePool);
  return { ...health, observed: { ...health.observed, runners } };
}

const isForRunners = ({ access }: OrchestrationRoute) => access === 'runner';

export function createApplication(
  context: Context,
  isStopping: () => boolean,
  listener: Listener = 'everybody',
): Application {
  const { config, logger } = context;
  const bearerOnly = listener === 'agents';
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use(inOrder(requestLog(logger), actAsAnonymous));
  if (!bearerOnly) trustProxies(app, config.network.trustedProxies, logger);
  const health = healthOf(context, isStopping);
  mountProbes(app, health);
  const isSecure = config.signIn?.session.secureCookie === true;
  const headers = helmet({ strictTransportSecurity: isSecure });
  const { publicUrl, agentApiUrl } = config;
  const guards = signInOf(context)
    ? [ownOriginOnly(publicUrl)]
    : localRequestsOnly(publicUrl, agentApiUrl);
  app.use(inOrder(context.metrics.observeRequests, headers, keepFromCaches, ...guards));
  const routes = allRoutes.filter(
    (route) => !bearerOnly || !(isForPeople(route.path) || isForRunners(route)),
  );
  const parts = { context, bearerOnly };
  const pipeline = orchestrationPipeline(parts);
  mountTools(app, allRoutes, pipeline, parts);
  app.get('/llms.txt', (_request, response) => response.type('text/plain').send(LLMS_TXT));
  if (!bearerOnly) serveConsole(app, context);
  const isKnown = mount(app, routes, pipeline);
  app.get('/api/health', async (_request, response) => {
    const { ready, components } = await checkHealth(health);
    const status = ready ? 'ok' : 'unavailable';
    const timestamp = new Date().toISOString();
    response.status(ready ? 200 : 503).json({ status, timestamp, version: VERSION, components });
  });
  mountDocsFiles(app, DOCS_PAGE);
  app.use(refuseUnknownPath(isKnown));
  finishApplication(app, logger, context);
  return app;
}

function refuseUnknownPath(isKnown: (path: string) => boolean) {
  return ({ path }: Request): never => {
    const below = belowApi(path);
    const alone = below.replace(/^\/companies\/[^/]+(?=\/.)/, '');
    const guesses = [`/api${below}`, `/api/companies/{companyId}${below}`, `/api${alone}`];
    const meant = guesses.find(
      (other) => other !== path && other.length <= MAX_SHOWN && isKnown(other),
    );
    throw new ApiError('not_found', `path not found: ${meant ? didYouMean(meant) : rest(path)}`);
  };
}

function belowApi(path: string): string {
  const single = path.replace(/\/{2,}/g, '/');
  return single.replace(/^\/(?:api\/)?(?:v\d{1,3}\/)?(?:api\/)?/i, '/');
}

const MAX_SHOWN = 200;

const didYouMean = (meant: string) => `did you mean ${meant}? The reference is at /api/docs`;

const rest = (path: string) =>
  /^\/api(?:\/|$)/i.test(path)
    ? 'the paths below /api are listed at /api/docs'
    : 'the API is below /api, and its reference is at /api/docs';
