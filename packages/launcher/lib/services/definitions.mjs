import path from 'node:path';
import { OPERATORS_OWN } from '../databases.mjs';
import { reachable } from '../settings.mjs';
import { hasColour } from '../terminal/colour.mjs';

/** What a start has to compile; their references bring the packages along. */
export const PROJECTS = ['services/orchestration', 'services/metrics', 'packages/client'];

/** Name, default, and what it listens on: the probes' and Prometheus pages stay on loopback by default. */
export const wantedPorts = (host) => [
  ['ORCHESTRATION_PORT', 3100, host],
  ['METRICS_PORT', 3200, host],
  ['WORKER_PORT', 3101, host],
  ['API_METRICS_PORT', 9464, host],
  ['AGENT_PORT', 3102, host],
];

export function urlsOf({ host }, ports) {
  const at = `http://${reachable(host)}`;
  return {
    board: `${at}:${ports.ORCHESTRATION_PORT}`,
    metrics: `${at}:${ports.METRICS_PORT}`,
    worker: `${at}:${ports.WORKER_PORT}`,
    agents: `${at}:${ports.AGENT_PORT}`,
  };
}

const OF_METRICS = [
  'METRICS_DATABASE_URL',
  'METRICS_TOKEN',
  'EXCHANGE_API_KEY',
  'EXCHANGE_API_SECRET',
  'EXCHANGE_API_PASSWORD',
];

/** What a service is not told, because it does not read it: who gets into one gets no more than it holds. */
const WITHHELD = {
  api: OF_METRICS,
  worker: ['SESSION_SECRET', 'BOOTSTRAP_TOKEN', ...OF_METRICS],
  metrics: [
    'METRICS_DATABASE_URL',
    'REDIS_URL',
    'RUN_TOKEN_SECRET',
    'SESSION_SECRET',
    'BOOTSTRAP_TOKEN',
    'SECRETS_MASTER_KEY',
    'SECRETS_MASTER_KEY_OLD',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ],
};

function withheld(env, name) {
  const hidden = new Set([...OPERATORS_OWN, ...WITHHELD[name]]);
  return Object.fromEntries(Object.entries(env).filter(([variable]) => !hidden.has(variable)));
}

function commonEnvironment(settings, ports, redisUrl, secrets) {
  const { env, host, authMode, dataDir } = settings;
  const at = urlsOf(settings, ports);
  const local = authMode === 'local_trusted' && { PUBLIC_URL: at.board };
  const texts = Object.entries(ports).map(([name, port]) => [name, String(port)]);
  return {
    ...(hasColour() && { FORCE_COLOR: '1' }),
    ...local,
    // The worker is on this machine, so its agents need no way around.
    AGENT_API_URL: at.agents,
    ...withoutEmpty(env),
    ...secrets,
    ...Object.fromEntries(texts),
    HOST: host,
    AUTH_MODE: authMode,
    DATA_DIR: dataDir,
    REDIS_URL: redisUrl,
  };
}

/** `NAME=` in an environment file means "not set". */
const withoutEmpty = (env) => Object.fromEntries(Object.entries(env).filter(([, text]) => text));

export function defineServices({ settings, ports, databases, redisUrl, secrets }) {
  const common = commonEnvironment(settings, ports, redisUrl, secrets);
  const at = urlsOf(settings, ports);
  const service = (name, colour, file, database, ready) => ({
    name,
    colour,
    args: ['--max-semi-space-size=8', path.join(settings.root, file)],
    cwd: settings.root,
    env: {
      MALLOC_ARENA_MAX: '2',
      ...withheld(common, name),
      DATABASE_URL: databases[database].url,
    },
    ready,
  });
  const own = 'services/orchestration/dist/bin';
  return [
    service('api', 'cyan', `${own}/api.js`, 'orchestration', `${at.board}/readyz`),
    service('worker', 'magenta', `${own}/worker.js`, 'orchestration', `${at.worker}/readyz`),
    service(
      'metrics',
      'blue',
      'services/metrics/dist/bin/metrics.js',
      'metrics',
      `${at.metrics}/health`,
    ),
  ];
}
