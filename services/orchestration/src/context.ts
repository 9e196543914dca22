import { type OpenDatabase, openDatabase } from '@switchyard/db';
import {
  connectQueues,
  connectShared,
  type Hints,
  openHints,
  openNudges,
  type QueueConnections,
} from '@switchyard/queue';
import { createLogger, errorFields, type Logger } from '@switchyard/server';
import { openRateLimits, type RateLimits } from './access/rate-limits';
import { openSignIn, type SignIn } from './access/sign-in';
import { type AdapterRegistry, createAdapterRegistry } from './adapters/agents/adapter-registry';
import { createHttpAdapter } from './adapters/agents/http-adapter';
import { createProcessAdapter } from './adapters/agents/process-adapter';
import type { FileStore } from './adapters/file-store/file-store';
import { openFileStore } from './adapters/file-store/file-store-settings';
import { createModelCatalog, type ModelCatalog } from './adapters/models/model-catalog';
import { createSecretBox, type SecretBox } from './adapters/secret-box/secret-box';
import type { Config } from './config';
import { type EventStreams, openEventStreams } from './features/events/event-streams';
import { createMetrics, type Metrics } from './metrics';

/** Everything a verb may need besides its scope; built here and nowhere else. */
export interface Context {
  config: Config;
  logger: Logger;
  db: OpenDatabase;
  queues: QueueConnections;
  hints: Hints;
  events: EventStreams;
  adapters: AdapterRegistry;
  models: ModelCatalog;
  secretBox: SecretBox;
  files: FileStore;
  metrics: Metrics;
  /** Null in local trusted mode. */
  signIn: SignIn | null;
  limits: RateLimits;
  /** In reverse order of construction. */
  close(): Promise<void>;
}

export type ContextOverrides = Partial<Pick<Context, 'logger' | 'adapters' | 'hints' | 'files'>>;

/** What a verb that only writes needs of the context. */
export type Effects = Pick<
  Context,
  | 'config'
  | 'db'
  | 'hints'
  | 'events'
  | 'adapters'
  | 'models'
  | 'secretBox'
  | 'files'
  | 'signIn'
  | 'limits'
>;

export function createContext(
  config: Config,
  processName: string,
  overrides: ContextOverrides = {},
): Context {
  const logger = overrides.logger ?? createLogger({ process: processName, ...config.log });
  const metrics = createMetrics();
  const db = openDatabase({
    url: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: `switchyard-${processName}`,
    onIdleError: (error) => logger.warn('a database connection was lost', errorFields(error)),
    announce: (companyIds) => nudges.publish(companyIds),
  });
  const queues = connectQueues(config.redisUrl, (error) =>
    logger.debug('redis is away', errorFields(error)),
  );
  const shared = connectShared(config.redisUrl, (error) =>
    logger.debug('redis is away', errorFields(error)),
  );
  const signIn = config.signIn && openSignIn(shared, config.redisPrefix, config.signIn, logger);
  const nudges = openNudges(queues, config.redisPrefix);
  const events = openEventStreams({ db, nudges, logger, ...config.eventStreams });
  const hints =
    overrides.hints ??
    openHints(queues.producer, config.redisPrefix, (queue, error) =>
      logger.debug('a hint was lost; the sweep repeats it', { queue, ...errorFields(error) }),
    );
  const adapters =
    overrides.adapters ??
    createAdapterRegistry([
      createProcessAdapter({
        allowedCommands: config.processAdapterCommands,
        workerEnvironment: config.inherited,
      }),
      createHttpAdapter({
        allowLoopback: config.signIn === null,
        allowedHosts: config.httpAdapterAllowedHosts,
      }),
    ]);
  const models = createModelCatalog(config);
  const files = overrides.files ?? openFileStore(config.files);
  return {
    config,
    logger,
    db,
    queues,
    hints,
    events,
    adapters,
    models,
    secretBox: createSecretBox(config.masterKeys),
    files,
    metrics,
    signIn,
    limits: openRateLimits(shared, config.redisPrefix, config.rateLimits),
    close: async () => {
      await files.close();
      await models.close();
      await events.close();
      await hints.close();
      shared.disconnect();
      await queues.close();
      await db.close();
    },
  };
}
