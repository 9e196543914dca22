import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as metrics from '../../services/metrics/src/config';
import * as orchestration from '../../services/orchestration/src/config';
import { writeContainerKeys } from '../../services/orchestration/src/container-keys';
import { composeFindings, environmentOf, type Ports, settingsFindings } from './compose-rules';
import { type Composed, composed, type Labels, ROOT } from './manifest';
import { SAMPLES } from './settings-rules';

interface Linter {
  lintFiles(files: string[], deep: boolean): { messages: { line: number; message: string }[] }[];
}
// Its types are for ES modules only.
const { DCLinter } = require('dclint') as { DCLinter: new (config: object) => Linter };

const FILE = join(ROOT, 'docker-compose.yml');
const KNOWN = {
  orchestration: orchestration.ENVIRONMENT_NAMES,
  metrics: metrics.ENVIRONMENT_NAMES,
};
const usual = orchestration.readConfig(SAMPLES);
const PORTS: Ports = {
  api: [usual.apiPort, usual.apiMetricsPort],
  worker: [usual.workerPort],
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

/** What the one-shot service writes, given what compose gives it. */
function keyFiles(services: Record<string, Composed>): Labels {
  const place = mkdtempSync(join(folder, 'keys-'));
  writeContainerKeys(services.keys?.environment ?? {}, place);
  const read = (name: string) => [`/keys/${name}`, readFileSync(join(place, name), 'utf8')];
  return Object.fromEntries(['orchestration.env', 'metrics.env', 'postgres-password'].map(read));
}

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

it('needs nothing to be set, and keeps the rules', () => {
  const services = composed();
  expect(composeFindings(services, KNOWN, PORTS)).toEqual([]);
  expect(settingsFindings(services, keyFiles(services))).toEqual([]);
});

it('takes a copy of .env.example, whose empty lines mean "not set"', () => {
  const text = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const empty = Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => [name, '']),
  );
  expect(Object.keys(empty)).toContain('SECRETS_MASTER_KEY');
  const services = composed({ ...empty, AUTH_MODE: 'local_trusted' } as Labels);
  expect(settingsFindings(services, keyFiles(services))).toEqual([]);
});

it('explains every variable that it reads in .env.example', () => {
  const text = readFileSync(FILE, 'utf8');
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const names = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name as string));
  const missing = [...names].filter((name) => !new RegExp(`^#? ?${name}=`, 'm').test(example));
  expect(names.size).toBeGreaterThan(20);
  expect(missing).toEqual([]);
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
      agentApiUrl: 'http://api:3100',
    });
    const vouched = files['/keys/orchestration.env'] as string;
    expect(vouched).toContain("TRUST_LOCAL_NETWORK='true'");
  });

  it('gives the password to the database and to both services', () => {
    const password = files['/keys/postgres-password'] as string;
    expect(password).toMatch(/^[\w-]{32}$/);
    expect(services.postgres?.environment?.POSTGRES_PASSWORD_FILE).toBe('/keys/postgres-password');
    expect(config().databaseUrl).toBe(
      `postgresql://switchyard:${password}@postgres:5432/switchyard`,
    );
  });
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
    const files = keyFiles(services);
    expect(settingsFindings(services, files)).toEqual([]);
    expect(files['/keys/orchestration.env']).not.toContain('TRUST_LOCAL_NETWORK');
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
      'a setting that nothing reads',
      (all) => Object.assign(api(all).environment ?? {}, { REDIS: 'x' }),
      /sets REDIS for nobody/,
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
    ['a writable root', (all) => Object.assign(api(all), { read_only: false }), /may do more/],
  ];

  it.each(planted)('%s', (_, plant, expected) => {
    const services = composed();
    plant(services);
    expect(composeFindings(services, KNOWN, PORTS).join('\n')).toMatch(expected);
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
    const vouched = files['/keys/orchestration.env'] as string;
    const open = { ...files, '/keys/orchestration.env': vouched.replace(/TRUST.*\n/, '') };
    expect(settingsFindings(services, open).join('\n')).toMatch(/HOST: local trusted mode/);
    const signedIn = composed({ AUTH_MODE: 'authenticated', PUBLIC_URL: 'https://x.example.com' });
    expect(settingsFindings(signedIn, files).join('\n')).toMatch(
      /TRUST_LOCAL_NETWORK: is for local/,
    );
  });
});
