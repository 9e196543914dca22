import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as metrics from '../../services/metrics/src/config';
import {
  readBackupSettings,
  readRestoreSettings,
} from '../../services/orchestration/src/backup/backup-settings';
import * as orchestration from '../../services/orchestration/src/config';
import { readRunnerSettings } from '../../services/orchestration/src/runner/runner-settings';
import { accessFindings } from './compose-access-rules';
import { type ComposedFile, environmentOf, keyFiles } from './compose-files';
import { composeFindings, type Ports, refusals } from './compose-rules';
import { GIVEN, keptBack, PINNED, READ, reachFindings } from './compose-settings';
import { type Composed, composed, type Labels, ROOT } from './manifest';
import { SAMPLES } from './settings-rules';

interface Linter {
  lintFiles(files: string[], deep: boolean): { messages: { line: number; message: string }[] }[];
}
// Its types are for ES modules only.
const { DCLinter } = require('dclint') as { DCLinter: new (config: object) => Linter };

const FILE = join(ROOT, 'docker-compose.yml');
const usual = orchestration.readConfig(SAMPLES);
const PORTS: Ports = {
  api: [usual.apiPort, usual.apiMetricsPort],
  worker: [usual.workerPort],
  runner: [readRunnerSettings({ RUNNER_URL: 'http://worker:3101', RUNNER_TOKEN: 'x' }).port],
  metrics: [metrics.readConfig(SAMPLES).port],
};

/** Matters of taste, in which the order of this file tells the order of the start. */
const TASTE = [
  'service-keys-order',
  'services-alphabetical-order',
  'service-ports-alphabetical-order',
  'top-level-properties-order',
];

const folder = mkdtempSync(join(tmpdir(), 'compose-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lint(file: string): string[] {
  const rules = Object.fromEntries(TASTE.map((name) => [name, 0 as const]));
  const quotes = {
    'require-quotes-in-ports': [1 as const, { quoteType: 'double' }] as [1, object],
  };
  const linter = new DCLinter({
    rules: { ...rules, ...quotes },
    quiet: true,
    debug: false,
    exclude: [],
  });
  return linter
    .lintFiles([file], false)
    .flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`));
}

it('lints clean', () => {
  expect(lint(FILE)).toEqual([]);
});

/** The findings of every rule, for the file as it is or changed. */
function findings(services: ComposedFile, files: Labels = keyFiles(services)): string[] {
  return [
    ...composeFindings(services, PORTS),
    ...accessFindings(services, files),
    ...refusals(services, files),
  ];
}

it('needs nothing to be set, and keeps the rules', () => {
  expect(findings(composed())).toEqual([]);
});

it('passes every setting of .env to the processes that read it, and nothing else', () => {
  expect(reachFindings()).toEqual([]);
  expect(keptBack()).toEqual([]);
  const known = new Set(Object.values(READ).flat());
  expect(Object.keys(PINNED).filter((name) => !known.has(name))).toEqual([]);
});

it('takes a copy of .env.example, whose empty lines mean "not set"', () => {
  const text = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const empty = Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => [name, '']),
  );
  expect(Object.keys(empty)).toContain('SECRETS_MASTER_KEY');
  expect(findings(composed({ ...empty, AUTH_MODE: 'local_trusted' } as Labels))).toEqual([]);
});

it('explains every variable that it reads in .env.example', () => {
  const text = readFileSync(FILE, 'utf8');
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const names = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name as string));
  const missing = [...names].filter((name) => !new RegExp(`^#? ?${name}=`, 'm').test(example));
  expect(names.size).toBeGreaterThan(70);
  expect(missing).toEqual([]);
});

it('publishes the ports that .env names', () => {
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

  it('listens beyond loopback only because the published ports do not', () => {
    expect(config()).toMatchObject({
      signIn: null,
      host: '0.0.0.0',
      publicUrl: 'http://127.0.0.1:3100',
      agentApiUrl: 'http://api:3102',
    });
    expect(files['keys-api/api.env']).toContain("TRUST_LOCAL_NETWORK='true'");
  });

  it('gives the superuser of the database to the migrations alone', () => {
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

it('gives the commands of the operator what they read', () => {
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

  it('takes the secrets that are set', () => {
    const services = composed(given);
    expect(findings(services)).toEqual([]);
    expect(keyFiles(services)['keys-api/api.env']).not.toContain('TRUST_LOCAL_NETWORK');
  });

  it('makes none of its own', () => {
    const { SESSION_SECRET: _, SECRETS_MASTER_KEY: __, ...rest } = given;
    expect(() => keyFiles(composed(rest))).toThrow(
      'The environment is not usable:\n  SESSION_SECRET: is missing\n  SECRETS_MASTER_KEY: is missing',
    );
  });
});

describe('planted errors', () => {
  type Change = (services: Record<string, Composed>) => unknown;
  const api = (services: Record<string, Composed>) => services.api as Composed;
  const planted: [string, Change, RegExp][] = [
    [
      'a port for the whole network',
      (all) => api(all).ports?.push('3100:3100'),
      /beyond this machine/,
    ],
    [
      'a port that nobody listens on',
      (all) => api(all).ports?.push('127.0.0.1:80:80'),
      /nobody listens/,
    ],
    [
      'a database that is not waited for',
      (all) =>
        Object.assign(all.migrate?.depends_on ?? {}, {
          postgres: { condition: 'service_started' },
        }),
      /migrate: waits for postgres: service_started/,
    ],
    [
      'a service that is not there',
      (all) => Object.assign(api(all).depends_on ?? {}, { db: { condition: 'service_healthy' } }),
      /waits for db/,
    ],
    [
      'a command that is not built',
      (all) => Object.assign(api(all), { command: ['node', 'dist/server.js'] }),
      /runs node dist\/server.js/,
    ],
    [
      'a health check of another port',
      (all) => api(all).healthcheck?.test?.splice(-1, 1, 'http://127.0.0.1:9464/readyz'),
      /is asked at/,
    ],
    [
      'a tag that moves',
      (all) => Object.assign(all.redis as Composed, { image: 'redis:8' }),
      /redis: runs redis:8, whichever/,
    ],
    [
      'two that build one image',
      (all) => Object.assign(api(all), { build: { context: '.' } }),
      /api: builds switchyard-orchestration:local, as others do/,
    ],
    [
      'an image that may be another',
      (all) => delete api(all).pull_policy,
      /api: looks for an image of ours elsewhere/,
    ],
    [
      'an image that nobody builds before',
      (all) => delete api(all).depends_on,
      /api: does not wait for what builds/,
    ],
    [
      'attachments where agents run',
      (all) => all.runner?.volumes?.push('data:/files'),
      /runner: has the volume data/,
    ],
    [
      'memory without a limit',
      (all) => delete (all.runner as Composed).mem_limit,
      /runner: may take all/,
    ],
    ['a log without a limit', (all) => delete (all.redis as Composed).logging, /redis: logs until/],
    [
      'the keys of all',
      (all) => all.worker?.volumes?.push('keys:/all:ro'),
      /worker: holds the keys of others: keys/,
    ],
    [
      'the keys of another',
      (all) => all.worker?.volumes?.push('keys-api:/api:ro'),
      /worker: holds the keys of others: keys-api/,
    ],
    [
      'keys that may be changed',
      (all) => all.worker?.volumes?.splice(0, 1, 'keys-worker:/keys'),
      /worker: may write keys-worker/,
    ],
    [
      'a Redis without a password',
      (all) => all.redis?.command?.splice(1, 1),
      /redis: asks for no password/,
    ],
    [
      'a password as an argument',
      (all) => all.redis?.command?.push('--requirepass', 'x'),
      /redis: has its password as an argument/,
    ],
    [
      'a Redis that is called without the password',
      (all) => Object.assign(all.worker?.environment ?? {}, { REDIS_URL: 'redis://redis:6379' }),
      /worker: does not know the password of redis/,
    ],
    [
      "the owner's URL",
      (all) => Object.assign(api(all).environment ?? {}, { DATABASE_OWNER_URL: 'postgresql://x' }),
      /api: holds DATABASE_OWNER_URL/,
    ],
    [
      'the superuser',
      (all) =>
        Object.assign(all.metrics?.environment ?? {}, {
          DATABASE_URL: 'postgresql://switchyard:x@postgres:5432/switchyard_metrics',
        }),
      /metrics: is switchyard in the database/,
    ],
    [
      'agents beside the metrics service',
      (all) => all.metrics?.networks?.push('outside'),
      /worker: reaches metrics/,
    ],
    ['a writable root', (all) => Object.assign(api(all), { read_only: false }), /may do more/],
  ];

  it.each(planted)('%s', (_, plant, expected) => {
    const services = composed();
    plant(services);
    expect(findings(services).join('\n')).toMatch(expected);
  });

  it('a file that the schema refuses', () => {
    const file = join(folder, 'docker-compose.yml');
    writeFileSync(
      file,
      readFileSync(FILE, 'utf8').replace('stop_grace_period: 60s', 'stop_grace: 60s'),
    );
    expect(lint(file).join('\n')).toMatch(/services\/postgres.*additional properties/);
  });

  it('a vouched network in authenticated mode, and an open one in local mode', () => {
    const services = composed();
    const files = keyFiles(services);
    const vouched = files['keys-api/api.env'] as string;
    const open = { ...files, 'keys-api/api.env': vouched.replace(/TRUST.*\n/, '') };
    expect(refusals(services, open).join('\n')).toMatch(/HOST: local trusted mode/);
    const signedIn = composed({ AUTH_MODE: 'authenticated', PUBLIC_URL: 'https://x.example.com' });
    expect(refusals(signedIn, files).join('\n')).toMatch(/TRUST_LOCAL_NETWORK: is for local/);
  });

  const settings: [string, Change, RegExp][] = [
    [
      'that nothing reads',
      (all) => Object.assign(api(all).environment ?? {}, { REDIS: 'x' }),
      /api: is given REDIS, which it does not read/,
    ],
    [
      'that reaches nobody',
      (all) => delete all.worker?.environment?.RETENTION_RUN_DAYS,
      /worker: RETENTION_RUN_DAYS of .env does not reach it/,
    ],
    [
      'of another process',
      (all) => Object.assign(all.worker?.environment ?? {}, { SESSION_SECRET: 's' }),
      /worker: is given SESSION_SECRET, which it does not read/,
    ],
    [
      'that an inspection shows',
      (all) => Object.assign(api(all).environment ?? {}, { SECRETS_MASTER_KEY: 's' }),
      /api: shows SECRETS_MASTER_KEY/,
    ],
    [
      'that a container has of its own',
      (all) => Object.assign(api(all).environment ?? {}, { HOST: GIVEN.HOST }),
      /api: HOST of .env reaches it, and is not to/,
    ],
  ];

  it.each(settings)('a setting %s', (_, plant, expected) => {
    const services = composed(GIVEN);
    plant(services);
    expect(reachFindings(services).join('\n')).toMatch(expected);
  });

  it('a secret that is handed to nobody', () => {
    const services = composed(GIVEN);
    Object.assign(services.keys?.environment ?? {}, { NEW_SECRET: 'x' });
    expect(keptBack(services)).toEqual(['NEW_SECRET']);
  });
});
