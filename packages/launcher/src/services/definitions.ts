import { hasColour } from '@switchyard/bootstrap/terminal';
import { type Databases, OPERATORS_OWN } from '../databases.js';
import type { Ports, Wanted } from '../ports.js';
import { programFile } from '../program-file.js';
import { reachable, type Settings } from '../settings.js';
import type { Definition } from './service.js';

export const PROJECTS = ['services/orchestration', 'services/metrics', 'packages/client'];

/** Must equal the setting of the images (docs/performance.md, "Memory and idle cost"). */
const NODE_FLAGS = ['--max-semi-space-size=16'];

export interface Program extends Definition {
  ready: string;
}

export interface Facts {
  settings: Settings;
  ports: Ports;
  databases: Databases;
  redisUrl: string;
  secrets: Record<string, string>;
  sandbox: NodeJS.ProcessEnv;
}

export function defineServices(facts: Facts): Program[] {
  const { settings, ports, databases } = facts;
  const common = commonEnvironment(facts);
  const at = urlsOf(settings, ports);
  const program = (
    name: keyof typeof WITHHELD,
    colour: Program['colour'],
    file: string,
    own: NodeJS.ProcessEnv,
    ready: string,
  ) => ({
    name,
    colour,
    args: [...NODE_FLAGS, programFile(settings.root, file)],
    cwd: settings.root,
    env: { ...withheld(common, name), ...own },
    ready,
  });
  const on = (database: keyof Databases) => ({ DATABASE_URL: databases[database].url });
  const orchestration = on('orchestration');
  const bin = 'services/orchestration/dist/bin';
  const metrics = 'services/metrics/dist/bin/metrics.js';
  const runs = { RUNNER_URL: at.worker, RUNNER_DRAIN_SEC: '5' };
  return [
    program('api', 'cyan', `${bin}/api.js`, orchestration, `${at.board}/readyz`),
    program('worker', 'magenta', `${bin}/worker.js`, orchestration, `${at.worker}/readyz`),
    program('runner', 'green', 'packages/runner/dist/bin/runner.js', runs, `${at.runner}/readyz`),
    program('metrics', 'blue', metrics, on('metrics'), `${at.metrics}/health`),
  ];
}

export const wantedPorts = (host: string): Wanted[] => [
  ['API_PORT', 3100, host],
  ['MARKET_METRICS_PORT', 3200, host],
  ['WORKER_PORT', 3101, host],
  ['RUNNER_PORT', 3103, host],
  ['API_PROMETHEUS_PORT', 9464, host],
  ['AGENT_PORT', 3102, host],
];

export type Urls = ReturnType<typeof urlsOf>;

export function urlsOf({ host }: Pick<Settings, 'host'>, ports: Ports) {
  const at = `http://${reachable(host)}`;
  return {
    board: `${at}:${ports.API_PORT}`,
    metrics: `${at}:${ports.MARKET_METRICS_PORT}`,
    worker: `${at}:${ports.WORKER_PORT}`,
    runner: `${at}:${ports.RUNNER_PORT}`,
    agents: `${at}:${ports.AGENT_PORT}`,
  };
}

function commonEnvironment({
  settings,
  ports,
  redisUrl,
  secrets,
  sandbox,
}: Facts): NodeJS.ProcessEnv {
  const { env, host, authMode, dataDir } = settings;
  const at = urlsOf(settings, ports);
  const local = authMode === 'local_trusted' && { PUBLIC_URL: at.board };
  const texts = Object.entries(ports).map(([name, port]) => [name, String(port)]);
  return {
    ...(hasColour() && { FORCE_COLOR: '1' }),
    ...local,
    AGENT_API_URL: at.agents,
    ...Object.fromEntries(Object.entries(env).filter(([, text]) => text)),
    ...secrets,
    ...sandbox,
    ...Object.fromEntries(texts),
    HOST: host,
    AUTH_MODE: authMode,
    DATA_DIR: dataDir,
    REDIS_URL: redisUrl,
  };
}

const OF_METRICS = [
  'METRICS_DATABASE_URL',
  'METRICS_TOKEN',
  'METRICS_WEBHOOK_URL',
  'METRICS_WEBHOOK_SECRET',
  'EXCHANGE_API_KEY',
  'EXCHANGE_API_SECRET',
  'EXCHANGE_API_PASSWORD',
];

const OF_ORCHESTRATION = [
  'REDIS_URL',
  'RUN_TOKEN_SECRET',
  'RUN_TOKEN_SECRET_OLD',
  'RUNNER_TOKEN_OLD',
  'SESSION_SECRET',
  'SESSION_SECRET_OLD',
  'BOOTSTRAP_TOKEN',
  'OIDC_CLIENT_SECRET',
  'SECRETS_MASTER_KEY',
  'SECRETS_MASTER_KEY_OLD',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
];

const WITHHELD = {
  api: ['RUNNER_TOKEN', 'RUNNER_TOKEN_OLD', ...OF_METRICS],
  worker: [
    'SESSION_SECRET',
    'SESSION_SECRET_OLD',
    'BOOTSTRAP_TOKEN',
    'OIDC_CLIENT_SECRET',
    ...OF_METRICS,
  ],
  runner: ['DATABASE_URL', ...OF_ORCHESTRATION, ...OF_METRICS],
  metrics: ['METRICS_DATABASE_URL', 'RUNNER_TOKEN', ...OF_ORCHESTRATION],
};

function withheld(env: NodeJS.ProcessEnv, name: keyof typeof WITHHELD): NodeJS.ProcessEnv {
  const hidden = new Set([...OPERATORS_OWN, ...WITHHELD[name]]);
  return Object.fromEntries(Object.entries(env).filter(([variable]) => !hidden.has(variable)));
}
