import { type OpenDatabase, openDatabase, openPool, type Pool } from '@switchyard/db';
import {
  connectQueues,
  connectShared,
  type Hints,
  openHints,
  openNudges,
  type QueueConnections,
  versionProblem,
} from '@switchyard/queue';
import {
  createLogger,
  errorFields,
  type Logger,
  logRepeated,
  observeDisk,
  observePool,
  openRefusalLog,
  type RecordRefusal,
  watchPool,
} from '@switchyard/server';
import { openRateLimits, type RateLimits } from './access/network/rate-limits';
import { openSignIn, type SignIn } from './access/sign-in/sign-in';
import { type AdapterRegistry, createAdapterRegistry } from './adapters/agents/adapter-registry';
import { defineCodingAgents } from './adapters/agents/coding-agents/coding-tools';
import { defineProcessAdapter } from './adapters/agents/command/process-definition';
import { createExternalAdapter } from './adapters/agents/external/external-adapter';
import { createHttpAdapter } from './adapters/agents/http/http-adapter';
import { type Clock, systemClock } from './adapters/clock';
import type { FileStore } from './adapters/file-store/file-store';
import { openFileStore } from './adapters/file-store/file-store-settings';
import { createModelCatalog, type ModelCatalog } from './adapters/models/model-catalog';
import { closedPlaces } from './adapters/sandbox/closed-places';
import { createConfinements } from './adapters/sandbox/confinement';
import { createSecretBox, type SecretBox } from './adapters/secret-box/secret-box';
import type { Config } from './config';
import { type ChangeFeeds, openChangeFeeds } from './features/changes/change-feeds';
import { type EventStreams, openEventStreams } from './features/events/event-streams';
import { openRunnerNews, type RunnerNews, tellingRunners } from './features/runners/runner-news';
import type { RunSlots } from './features/runs/claim/run-slots';
import { openRunLogs, type RunLogs } from './features/runs/log/run-logs';
import { createRunMasks, type RunMasks } from './features/runs/run-masks';
import { createMetrics, METRIC_PREFIX, type Metrics } from './observability/metrics';
import { createQueueGauges } from './observability/queue-gauges';
import { queueRules, readQueueState } from './observability/queue-state';
import type { RefreshedGauges } from './observability/refreshed-gauges';
import { createRunnerGauges } from './observability/runner-gauges';
import { readRunnerState } from './observability/runner-state';
import { type IssueNumbers, openIssueNumbers } from './state/issues/issue-numbers';

export interface Context {
  config: Config;
  /** Local time; stored times come from the database clock. */
  clock: Clock;
  logger: Logger;
  db: OpenDatabase;
  queues: QueueConnections;
  hints: Hints;
  runnerNews: RunnerNews;
  events: EventStreams;
  changes: ChangeFeeds;
  runLogs: RunLogs;
  adapters: AdapterRegistry;
  models: ModelCatalog;
  secretBox: SecretBox;
  runMasks: RunMasks;
  files: FileStore;
  metrics: Metrics;
  queueGauges: RefreshedGauges;
  runnerGauges: RefreshedGauges;
  /** Separate, so that probes do not wait behind the work they observe. */
  probePool: Pool;
  issueNumbers: IssueNumbers;
  poolStallMs: () => number;
  serving: { slots: RunSlots | null };
  signIn: SignIn | null;
  limits: RateLimits;
  recordRefusal: RecordRefusal;
  close(): Promise<void>;
}

export type ContextOverrides = Partial<Pick<Context, 'logger' | 'adapters' | 'hints' | 'files'>>;

export function createContext(
  config: Config,
  processName: string,
  overrides: ContextOverrides = {},
): Context {
  const logger = overrides.logger ?? createLogger({ process: processName, ...config.log });
  const metrics = createMetrics();
  const connection = {
    url: config.databaseUrl,
    onIdleError: (error: Error) =>
      logRepeated(logger, 'warn', 'a database connection was lost', errorFields(error)),
  };
  const db = openDatabase({
    ...connection,
    size: config.databasePoolSize,
    applicationName: `switchyard-${processName}`,
    announce: (companyIds) => nudges.publish(companyIds),
  });
  const probePool = openPool({
    ...connection,
    size: 2,
    applicationName: `switchyard-${processName}-probes`,
  });
  const numbering = openDatabase({
    ...connection,
    size: 1,
    applicationName: `switchyard-${processName}-numbers`,
  });
  const poolStallMs = watchPool(db.pool);
  observeDisk(metrics.registry, METRIC_PREFIX, config.dataDir);
  observePool(metrics.registry, METRIC_PREFIX, db.pool, config.databasePoolSize);
  const redisIsAway = (error: Error) => logger.debug('Redis cannot be reached', errorFields(error));
  const queues = connectQueues(config.redisUrl, redisIsAway, config.redisCa);
  queues.producer.once('ready', () => void warnOutdatedRedis(queues, logger));
  const shared = connectShared(config.redisUrl, redisIsAway, config.redisCa);
  const signIn = config.signIn && openSignIn(db, shared, config.redisPrefix, config.signIn, logger);
  const nudges = openNudges(queues, config.redisPrefix);
  const events = openEventStreams({ db, nudges, logger, ...config.eventStreams });
  const { pollMs } = config.eventStreams;
  const changes = openChangeFeeds({ db, nudges, logger, pollMs });
  metrics.watchStreams(() => events.count());
  const runnerNews = openRunnerNews(nudges);
  const queued =
    overrides.hints ??
    openHints(queues.producer, config.redisPrefix, (queue, error) => {
      metrics.hintsLost.inc({ queue });
      logger.debug('a hint was lost; the next sweep queues it again', {
        queue,
        ...errorFields(error),
      });
    });
  const hints = tellingRunners(queued, runnerNews);
  const isLocal = config.authMode === 'local_trusted';
  const { PATH: path, HOME: home } = config.inherited;
  const {
    dataDir,
    repositories: { workspaceRoots },
  } = config;
  const confinements = createConfinements(
    config.sandbox,
    isLocal ? { path, closed: closedPlaces({ home, dataDir, workspaceRoots }) } : null,
  );
  const models = createModelCatalog(config, {
    inherited: config.inherited,
    shared: isLocal ? config.agentHomeFolders : null,
    confinements,
  });
  const adapters =
    overrides.adapters ??
    createAdapterRegistry([
      defineProcessAdapter({
        allowedCommands: config.processAdapterCommands,
        allowedVariables: isLocal ? 'any' : config.agentVariables.commands,
      }),
      createHttpAdapter({
        allowLoopback: isLocal,
        httpsOnly: !isLocal,
        allowedHosts: config.httpAdapterAllowedHosts,
      }),
      ...defineCodingAgents({
        allowedVariables: isLocal ? 'any' : config.agentVariables.codingAgents,
        hasOwnHome: !isLocal,
      }),
      createExternalAdapter(),
    ]);
  const secretBox = createSecretBox(config.masterKeys);
  const files = overrides.files ?? openFileStore(config.files, config.uploadScanner);
  const serving: Context['serving'] = { slots: null };
  return {
    config,
    clock: systemClock,
    logger,
    db,
    queues,
    hints,
    runnerNews,
    events,
    changes,
    runLogs: openRunLogs({ db, nudges }),
    adapters,
    models,
    secretBox,
    runMasks: createRunMasks({ db, box: secretBox }),
    files,
    metrics,
    queueGauges: createQueueGauges(metrics.registry, () =>
      readQueueState(probePool, queueRules({ adapters, config, serving })),
    ),
    runnerGauges: createRunnerGauges(metrics.registry, () => readRunnerState(probePool)),
    probePool,
    issueNumbers: openIssueNumbers(numbering),
    poolStallMs,
    serving,
    signIn,
    limits: openRateLimits(shared, config.redisPrefix, config.rateLimits),
    recordRefusal: openRefusalLog({ logger, registry: metrics.registry, prefix: METRIC_PREFIX }),
    close: async () => {
      await files.close();
      await models.close();
      await events.close();
      await changes.close();
      await hints.close();
      shared.disconnect();
      await queues.close();
      await probePool.end();
      await numbering.close();
      await db.close();
    },
  };
}

async function warnOutdatedRedis({ producer }: QueueConnections, logger: Logger): Promise<void> {
  const problem = await versionProblem(producer).catch(() => null);
  if (problem) logger.error(problem);
}
