import { systemClock } from '@switchyard/async';
import { openDatabase, openPool } from '@switchyard/db';
import {
  connectQueues,
  connectShared,
  openHints,
  openNudges,
  type QueueConnections,
  versionProblem,
} from '@switchyard/queue';
import { defineCodingAgents } from '@switchyard/runner/agents/coding-agents/coding-tools';
import { defineProcessAdapter } from '@switchyard/runner/agents/command/process-definition';
import { createModelCatalog } from '@switchyard/runner/models/model-catalog';
import { closedPlaces } from '@switchyard/runner/sandbox/closed-places';
import { createConfinements } from '@switchyard/runner/sandbox/confinement';
import {
  createLogger,
  errorFields,
  type Logger,
  logRepeated,
  observeDisk,
  observePool,
  openRefusalLog,
  watchPool,
} from '@switchyard/server';
import { createAdapterRegistry } from './adapters/agents/adapter-registry';
import { createExternalAdapter } from './adapters/agents/external/external-adapter';
import { createHttpAdapter } from './adapters/agents/http/http-adapter';
import { openFileStore } from './adapters/file-store/file-store-settings';
import { createSecretBox } from './adapters/secret-box/secret-box';
import type { Config } from './config';
import { announcingRuns } from './kernel/announce-work';
import type { Context } from './kernel/context';
import { createMetrics, METRIC_PREFIX } from './kernel/metrics';

export type ContextOverrides = Partial<
  Pick<Context, 'clock' | 'logger' | 'adapters' | 'hints' | 'files'>
>;

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
  const nudges = openNudges(queues, config.redisPrefix);
  const queued =
    overrides.hints ??
    openHints(queues.producer, config.redisPrefix, (queue, error) => {
      metrics.hintsLost.inc({ queue });
      logger.debug('a hint was lost; the next sweep queues it again', {
        queue,
        ...errorFields(error),
      });
    });
  const hints = announcingRuns(queued, nudges);
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
  const files = overrides.files ?? openFileStore(config.files, config.uploadScanner);
  const closers: (() => Promise<void>)[] = [];
  return {
    config,
    clock: overrides.clock ?? systemClock,
    logger,
    db,
    probePool,
    numbering,
    poolStallMs,
    queues,
    shared,
    nudges,
    hints,
    adapters,
    models,
    secretBox: createSecretBox(config.masterKeys),
    files,
    metrics,
    recordRefusal: openRefusalLog({ logger, registry: metrics.registry, prefix: METRIC_PREFIX }),
    parts: new Map(),
    onClose: (close) => void closers.push(close),
    close: async () => {
      await files.close();
      await models.close();
      for (const close of closers) await close();
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
