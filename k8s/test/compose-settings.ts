import { RUNNER_NAMES } from '../../packages/runner/src/runner-settings';
import { ENVIRONMENT_NAMES as METRICS } from '../../services/metrics/src/config';
import {
  ENVIRONMENT_NAMES as EVERYTHING,
  SERVER_NAMES as ORCHESTRATION,
} from '../../services/orchestration/src/settings/environment';
import {
  type Composed,
  type ComposedFile,
  composed,
  environmentOf,
  keyFiles,
} from './compose-files';
import type { Labels } from './manifest';
import { API_ALONE, RUNNER, WORKER_ALONE } from './settings-rules';

export const PINNED: Record<string, string> = {
  NODE_ENV: 'of the image',
  PATH: 'of the image',
  HOME: 'of the image',
  LANG: 'of the image',
  HOST: 'of the image: who reaches a container is for its network to say',
  DATA_DIR: 'of the image: the volume is there',
  TRUST_LOCAL_NETWORK: 'follows from AUTH_MODE, because of how ports are published',
  AGENT_API_URL: 'names the API among the containers',
  AGENT_PORT: 'of the container, named by AGENT_API_URL',
  API_PROMETHEUS_PORT: 'of the container; .env sets where it is published',
  WORKER_PORT: 'of the container; .env sets where it is published',
  MARKET_METRICS_PORT: 'of the container; .env sets where it is published',
  RUNNER_PORT: 'of the container, and asked there alone',
  RUN_POD_LIMIT: 'of Kubernetes, like what follows: compose has no pods',
  RUN_POD_START_SEC: 'of Kubernetes',
  RUN_POD_NAMESPACE: 'of Kubernetes',
  RUN_POD_ACCOUNT_DIR: 'of Kubernetes',
  KUBERNETES_SERVICE_HOST: 'of Kubernetes',
  KUBERNETES_SERVICE_PORT: 'of Kubernetes',
  RUNNER_TICKET_FILE: 'of run pods, which are of Kubernetes',
  RUNNER_URL: 'names the worker among the containers',
};

const SECRET = /SECRET|PASSWORD|TOKEN(_OLD)?$|_KEY(_ID|_OLD)?$/;

export const READ: Record<string, readonly string[]> = {
  api: ORCHESTRATION.filter((name) => !WORKER_ALONE.includes(name)),
  worker: ORCHESTRATION.filter((name) => !API_ALONE.includes(name)),
  runner: RUNNER_NAMES,
  metrics: METRICS,
  keys: [...EVERYTHING, ...METRICS, ...RUNNER, 'METRICS_DATABASE_URL', 'POSTGRES_PASSWORD'],
  operator: [...ORCHESTRATION, 'METRICS_DATABASE_URL', 'TMPDIR'],
  migrate: ['DATABASE_URL', ...RUNNER],
  'migrate-metrics': ['DATABASE_URL', ...RUNNER],
};

const GIVEN: Labels = Object.fromEntries((READ.keys ?? []).map((name) => [name, `given-${name}`]));

export function reachFindings(
  services: ComposedFile = composed(GIVEN),
  files: Labels = keyFiles(services),
): string[] {
  return Object.entries(READ).flatMap(([name, read]) => {
    const service = services[name] as Composed;
    const environment = environmentOf(service, files);
    const surplus = Object.keys(environment).filter((one) => !read.includes(one));
    const shown = Object.keys(service.environment ?? {}).filter((one) => SECRET.test(one));
    const found = [
      ...surplus.map((one) => `is given ${one}, which it does not read`),
      ...(name === 'keys' ? [] : shown.map((one) => `shows ${one} to whoever inspects it`)),
    ];
    if (!['api', 'worker', 'runner', 'metrics'].includes(name))
      return found.map((text) => `${name}: ${text}`);
    for (const one of read) {
      const given = name === 'metrics' && one === 'DATABASE_URL' ? 'METRICS_DATABASE_URL' : one;
      const reaches = environment[one] === GIVEN[given];
      if (!reaches && !(one in PINNED)) found.push(`${one} of .env does not reach it`);
      if (reaches && one in PINNED) found.push(`${one} of .env reaches it, and is not to`);
    }
    return found.map((text) => `${name}: ${text}`);
  });
}

export function keptBack(services: ComposedFile = composed(GIVEN)): string[] {
  const text = Object.values(keyFiles(services)).join('\n');
  const names = Object.keys(services.keys?.environment ?? {}).filter((one) => one !== 'AUTH_MODE');
  return names.filter((one) => !text.includes(GIVEN[one] as string));
}
