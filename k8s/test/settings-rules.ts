import { readRunnerSettings } from '../../packages/runner/src/runner-settings';
import { readConfig as readMetrics } from '../../services/metrics/src/config';
import { readConfig as readOrchestration } from '../../services/orchestration/src/config';
import { type Container, type Labels, type Manifest, ours, type Workload } from './manifest';

export const SAMPLES: Labels = {
  DATABASE_URL: 'postgresql://switchyard_app:password@db.example.com:5432/switchyard',
  DATABASE_OWNER_URL: 'postgresql://switchyard_owner:password@db.example.com:5432/switchyard',
  METRICS_OWNER_URL:
    'postgresql://switchyard_owner:password@db.example.com:5432/switchyard_metrics',
  DATABASE_ADMIN_URL: 'postgresql://switchyard:password@db.example.com:5432/switchyard',
  REDIS_URL: 'redis://:password@redis.example.com:6379',
  RUN_TOKEN_SECRET: 'r'.repeat(40),
  RUNNER_TOKEN: 'u'.repeat(40),
  SESSION_SECRET: 's'.repeat(40),
  SECRETS_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  RUN_TOKEN_SECRET_OLD: 'o'.repeat(40),
  SESSION_SECRET_OLD: 'p'.repeat(40),
  RUNNER_TOKEN_OLD: 'q'.repeat(40),
  SECRETS_MASTER_KEY_OLD: Buffer.alloc(32, 2).toString('base64'),
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  BOOTSTRAP_TOKEN: 'b'.repeat(40),
  OIDC_CLIENT_SECRET: 'o'.repeat(40),
  METRICS_TOKEN: 't'.repeat(40),
  METRICS_WEBHOOK_URL: 'https://hooks.example.com/metrics',
  METRICS_WEBHOOK_SECRET: Buffer.alloc(32, 3).toString('base64'),
  EXCHANGE_API_KEY: 'key',
  EXCHANGE_API_SECRET: 'secret',
  EXCHANGE_API_PASSWORD: 'password',
};

export function environmentOf(
  manifests: Manifest[],
  { env = [], envFrom = [] }: Container,
  secrets: Labels = SAMPLES,
): Record<string, string | undefined> {
  const maps = envFrom.map(({ configMapRef }) => {
    const map = manifests.find(
      (one) => one.kind === 'ConfigMap' && one.metadata.name === configMapRef?.name,
    );
    if (!map) throw new Error(`there is no ConfigMap ${configMapRef?.name}`);
    return map.data ?? {};
  });
  const own = env.map(({ name, value, valueFrom }) => {
    const key = valueFrom?.secretKeyRef?.key;
    return [name, key === undefined ? value : secrets[key]];
  });
  return Object.assign({}, ...maps, Object.fromEntries(own));
}

type Read = (variables: Record<string, string | undefined>, process: 'api' | 'worker') => unknown;
const READERS: Record<'orchestration' | 'metrics', Read> = {
  orchestration: readOrchestration,
  metrics: readMetrics,
};

export const API_ALONE = [
  'SESSION_SECRET',
  'SESSION_SECRET_OLD',
  'BOOTSTRAP_TOKEN',
  'OIDC_CLIENT_SECRET',
];

export const WORKER_ALONE = ['RUNNER_TOKEN', 'RUNNER_TOKEN_OLD'];

export const RUNNER = ['DATABASE_OWNER_URL', 'DATABASE_ADMIN_URL', 'DATABASE_OWN_CLUSTER'];

const BACKUP = ['METRICS_DATABASE_URL', 'BACKUP_TARGET', 'BACKUP_DAYS', 'BACKUP_OPTIONS'];

const ALSO: Partial<Record<string, string[]>> = { Job: RUNNER, CronJob: BACKUP };

export const productOf = ({ spec }: Workload): 'orchestration' | 'metrics' =>
  /switchyard-metrics:/.test(spec.template.spec.containers[0]?.image ?? '')
    ? 'metrics'
    : 'orchestration';

export function settingsFindings(
  manifests: Manifest[],
  known: Record<'orchestration' | 'metrics', readonly string[]>,
): string[] {
  return ours(manifests).flatMap((workload) => {
    const { metadata, kind, spec } = workload;
    const product = productOf(workload);
    const [main] = spec.template.spec.containers as [Container];
    const environment = environmentOf(manifests, main);
    const found = Object.keys(environment)
      .filter((name) => !known[product].includes(name) && !ALSO[kind]?.includes(name))
      .map((name) => `sets ${name}, which nothing reads`);
    if (kind !== 'Deployment') return found.map((text) => `${metadata.name}: ${text}`);
    const process = metadata.name === 'switchyard-worker' ? 'worker' : 'api';
    const read: Read =
      metadata.name === 'switchyard-runner' ? readRunnerSettings : READERS[product];
    try {
      read(environment, process);
      const optional = (main.env ?? []).flatMap(({ name, valueFrom }) =>
        valueFrom?.secretKeyRef?.optional ? [name] : [],
      );
      const without = optional.map((name) => [name, undefined]);
      read({ ...environment, ...Object.fromEntries(without) }, process);
    } catch (error) {
      found.push((error as Error).message);
    }
    return found.map((text) => `${metadata.name}: ${text}`);
  });
}
