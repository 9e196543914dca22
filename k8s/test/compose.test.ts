import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readRunnerSettings } from '../../packages/runner/src/runner-settings';
import * as metrics from '../../services/metrics/src/config';
import {
  readBackupSettings,
  readRestoreSettings,
} from '../../services/orchestration/src/backup/backup-settings';
import * as orchestration from '../../services/orchestration/src/config';
import { accessFindings } from './compose-access-rules';
import {
  type Composed,
  type ComposedFile,
  composed,
  environmentOf,
  keyFiles,
  productOf,
  published,
} from './compose-files';
import { composeFindings, type Ports, refusals } from './compose-rules';
import { keptBack, PINNED, READ, reachFindings } from './compose-settings';
import { type Labels, ROOT } from './manifest';
import { SAMPLES } from './settings-rules';

interface Linter {
  lintFiles(files: string[], deep: boolean): { messages: { line: number; message: string }[] }[];
}
const { DCLinter } = require('dclint') as { DCLinter: new (config: object) => Linter };

const FILE = join(ROOT, 'docker-compose.yml');
const BUILDS = join(ROOT, 'docker-compose.override.yml');
const WITH_TLS = join(ROOT, 'examples/docker-compose.tls.yml');
const WITH_CADDY = join(ROOT, 'examples/docker-compose.caddy.yml');
const usual = orchestration.readConfig(SAMPLES);
const PORTS: Ports = {
  api: [usual.apiPort, usual.apiMetricsPort],
  worker: [usual.workerPort],
  runner: [readRunnerSettings({ RUNNER_URL: 'http://worker:3101', RUNNER_TOKEN: 'x' }).port],
  metrics: [metrics.readConfig(SAMPLES).port],
};

const TASTE = [
  'service-keys-order',
  'services-alphabetical-order',
  'service-ports-alphabetical-order',
  'top-level-properties-order',
];

it.each([FILE, BUILDS, WITH_TLS, WITH_CADDY])('%s passes dclint', (file) => {
  const rules = Object.fromEntries(TASTE.map((name) => [name, 0]));
  const quotes = { 'require-quotes-in-ports': [1, { quoteType: 'double' }] };
  const linter = new DCLinter({
    rules: { ...rules, ...quotes },
    quiet: true,
    debug: false,
    exclude: [],
  });
  const found = linter.lintFiles([file], false).flatMap(({ messages }) => messages);
  expect(found.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
});

it('the TLS example mounts the CA certificate in each service that connects to PostgreSQL or Redis', () => {
  const { services: given } = parse(readFileSync(WITH_TLS, 'utf8'), { merge: true });
  const services = composed();
  const files = keyFiles(services);
  const callers = Object.entries(services).filter(([, service]) =>
    Object.values(environmentOf(service, files)).some((text) =>
      /^(postgresql|rediss?):/.test(text ?? ''),
    ),
  );
  const names = callers.map(([name]) => name).filter((name) => name !== 'keys');
  expect(Object.keys(given).sort()).toEqual(names.sort());
  for (const service of Object.values(given)) expect(service).toEqual(given.api);
});

it('docker-compose.yml pulls every image from a registry and builds none', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const own = Object.values(published()).filter(productOf);
  expect(own.length).toBeGreaterThan(7);
  for (const service of own) {
    expect(service).toMatchObject({ pull_policy: 'missing' });
    expect(service).not.toHaveProperty('build');
    expect(service.image).toMatch(new RegExp(`^switchyard-[a-z]+:${version}$`));
  }
  const registry = { REGISTRY: 'images.example.com/acme/', SWITCHYARD_VERSION: '1.2.3' };
  expect(published(registry).metrics?.image).toBe(
    'images.example.com/acme/switchyard-metrics:1.2.3',
  );
});

it('docker-compose.yml runs the metrics service unless METRICS_REPLICAS is 0', () => {
  expect(composed().metrics).toMatchObject({ scale: '1' });
  expect(composed().metrics?.profiles).toBeUndefined();
  expect(composed({ METRICS_REPLICAS: '0' }).metrics?.scale).toBe('0');
});

it('the Caddy example forwards HTTPS to the API, which trusts proxies in the container network', () => {
  const { services } = parse(readFileSync(WITH_CADDY, 'utf8'), { merge: true });
  expect(services.caddy.command.join(' ')).toMatch(
    /^caddy reverse-proxy --from \$\{PUBLIC_URL:\?.+\} --to api:\$\{API_PORT:-3100\}$/,
  );
  expect(
    services.caddy.networks.filter((one: string) => composed().api?.networks?.includes(one)),
  ).toHaveLength(1);
  expect(services.api).toEqual({ environment: { TRUSTED_PROXIES: 'uniquelocal' } });
});

function findings(services: ComposedFile, files: Labels = keyFiles(services)): string[] {
  return [
    ...composeFindings(services, PORTS),
    ...accessFindings(services, files),
    ...refusals(services, files),
  ];
}

it('docker-compose.yml complies with every rule if .env sets no variable', () => {
  expect(findings(composed())).toEqual([]);
});

it('docker-compose.yml passes each setting of .env only to the processes that read it', () => {
  expect(reachFindings()).toEqual([]);
  expect(keptBack()).toEqual([]);
  const known = new Set(Object.values(READ).flat());
  expect(Object.keys(PINNED).filter((name) => !known.has(name))).toEqual([]);
});

it('docker-compose.yml treats an empty variable of .env.example as unset', () => {
  const text = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const empty = Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => [name, '']),
  );
  expect(Object.keys(empty)).toContain('SECRETS_MASTER_KEY');
  expect(findings(composed({ ...empty, AUTH_MODE: 'local_trusted' } as Labels))).toEqual([]);
});

it('.env.example explains every variable that docker-compose.yml reads', () => {
  const text = readFileSync(FILE, 'utf8');
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const names = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name as string));
  const missing = [...names].filter((name) => !new RegExp(`^#? ?${name}=`, 'm').test(example));
  expect(names.size).toBeGreaterThan(70);
  expect(missing).toEqual([]);
});

it('docker-compose.yml publishes the ports that .env sets', () => {
  const services = composed({
    API_PORT: '4100',
    API_PROMETHEUS_PORT: '4464',
    MARKET_METRICS_PORT: '4200',
  });
  const files = keyFiles(services);
  const config = orchestration.readConfig({
    ...environmentOf(services.api as Composed, files),
    HOST: '0.0.0.0',
  });
  expect([config.apiPort, config.publicUrl]).toEqual([4100, 'http://127.0.0.1:4100']);
  expect(services.api?.ports).toEqual(['127.0.0.1:4100:4100', '127.0.0.1:4464:9464']);
  expect(services.metrics?.ports).toEqual(['127.0.0.1:4200:3200']);
  expect(services.api?.healthcheck?.test?.at(-1)).toBe('http://127.0.0.1:4100/readyz');
  expect(services.demo?.command?.at(-1)).toBe('http://api:4100');
});

describe('local trusted mode', () => {
  const services = composed();
  const files = keyFiles(services);
  const config = () =>
    orchestration.readConfig({
      ...environmentOf(services.api as Composed, files),
      HOST: '0.0.0.0',
    });

  it('makes the API listen on all addresses, but publishes the API’s ports only on loopback', () => {
    expect(config()).toMatchObject({
      signIn: null,
      host: '0.0.0.0',
      publicUrl: 'http://127.0.0.1:3100',
      agentApiUrl: 'http://api:3102',
    });
    expect(files['keys-api/api.env']).toContain("TRUST_LOCAL_NETWORK='true'");
  });

  it('passes the password of the database superuser only to the migrations', () => {
    const password = files['keys-postgres/postgres-password'] as string;
    expect(password).toMatch(/^[\w-]{32}$/);
    expect(services.postgres?.environment?.POSTGRES_PASSWORD_FILE).toBe('/keys/postgres-password');
    const holders = Object.keys(files).filter((name) => files[name]?.includes(password));
    expect(holders.sort()).toEqual([
      'keys-migrate-metrics/migrate.env',
      'keys-migrate/migrate.env',
      'keys-postgres/postgres-password',
      'keys/keys.env',
    ]);
  });
});

it('the operator service has the settings for backup, restore and key rotation', () => {
  const services = composed(SAMPLES);
  const environment = environmentOf(services.operator as Composed, keyFiles(services));
  const { databases } = readBackupSettings(environment);
  expect(databases.orchestration).toMatch(/switchyard_owner:.*\/switchyard$/);
  expect(databases.metrics).toMatch(/switchyard_owner:.*\/switchyard_metrics$/);
  expect(readRestoreSettings(environment).masterKeys).not.toBeNull();
  expect(() => orchestration.readRewrapConfig(environment)).not.toThrow();
});

describe('authenticated mode', () => {
  const given = {
    AUTH_MODE: 'authenticated',
    PUBLIC_URL: 'https://board.example.com',
    SESSION_SECRET: 's'.repeat(40),
    RUN_TOKEN_SECRET: 'r'.repeat(40),
    SECRETS_MASTER_KEY: SAMPLES.SECRETS_MASTER_KEY as string,
  };

  it('uses the secrets that .env sets', () => {
    const services = composed(given);
    expect(findings(services)).toEqual([]);
    expect(keyFiles(services)['keys-api/api.env']).not.toContain('TRUST_LOCAL_NETWORK');
  });

  it('requires secrets in .env instead of creating them', () => {
    const { SESSION_SECRET: _, SECRETS_MASTER_KEY: __, ...rest } = given;
    expect(() => keyFiles(composed(rest))).toThrow(
      'The environment is not usable:\n  SESSION_SECRET: is missing\n  SECRETS_MASTER_KEY: is missing',
    );
  });
});
