import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { EnvironmentError } from '@switchyard/server';
import { writeContainerKeys } from './container-keys';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = () => {
  const at = mkdtempSync(join(folder, 'a-'));
  mkdirSync(join(at, 'keys'));
  return at;
};
const make = (at: string, given: Record<string, string> = {}) =>
  writeContainerKeys(given, join(at, 'keys'), join(at, 'handed-out'));
const text = (at: string, name: string) => readFileSync(join(at, name), 'utf8');
const kept = (at: string) => parseEnv(text(at, 'keys/keys.env'));
const handedTo = (at: string, reader: string) =>
  parseEnv(text(at, `handed-out/${reader}/${reader.replace('-metrics', '')}.env`));

const FILES = [
  'handed-out/api/api.env',
  'handed-out/worker/worker.env',
  'handed-out/migrate/migrate.env',
  'handed-out/metrics/metrics.env',
  'handed-out/migrate-metrics/migrate.env',
  'handed-out/postgres/postgres-password',
  'handed-out/redis/redis.conf',
];

describe('the keys for containers on one machine', () => {
  it('do not change after they were generated, and differ between installations', () => {
    const at = place();
    make(at);
    const first = kept(at);
    expect(Buffer.from(first.SECRETS_MASTER_KEY as string, 'base64')).toHaveLength(32);
    expect(first.RUN_TOKEN_SECRET).toMatch(/^[\w-]{43}$/);
    expect(handedTo(at, 'api').TRUST_LOCAL_NETWORK).toBe('true');
    const files = FILES.map((name) => text(at, name));
    make(at, { SECRETS_MASTER_KEY: '', POSTGRES_PASSWORD: '' });
    expect(kept(at)).toEqual(first);
    expect(FILES.map((name) => text(at, name))).toEqual(files);
    const other = place();
    make(other);
    const values = Object.values(first);
    expect(values).toHaveLength(9);
    expect(Object.values(kept(other)).filter((value) => values.includes(value))).toEqual([]);
  });

  it('contain the URLs of the configured servers, and the database owner only for migrations and the operator', () => {
    const at = place();
    make(at, {
      DATABASE_URL: 'postgresql://app:a@db.example.com:5432/yard?sslmode=require',
      DATABASE_OWNER_URL: 'postgresql://owner:o@db.example.com:5432/yard?sslmode=require',
      REDIS_URL: 'rediss://redis.example.com:6379',
    });
    const url = (user: string, name: string) =>
      `postgresql://${user}@db.example.com:5432/${name}?sslmode=require`;
    expect(handedTo(at, 'api')).toMatchObject({
      DATABASE_URL: url('app:a', 'yard'),
      REDIS_URL: 'rediss://redis.example.com:6379',
    });
    expect(handedTo(at, 'migrate')).toEqual({
      DATABASE_URL: url('app:a', 'yard'),
      DATABASE_OWNER_URL: url('owner:o', 'yard'),
    });
    expect(handedTo(at, 'metrics').DATABASE_URL).toBe(url('app:a', 'switchyard_metrics'));
    expect(parseEnv(text(at, 'keys/operator.env'))).toMatchObject({
      DATABASE_URL: url('owner:o', 'yard'),
      METRICS_DATABASE_URL: url('owner:o', 'switchyard_metrics'),
    });
  });

  it('use configured values instead of stored values', () => {
    const at = place();
    make(at);
    make(at, { RUN_TOKEN_SECRET: 'a # "b" = c', POSTGRES_PASSWORD: 'p@ss/w' });
    expect(handedTo(at, 'worker').RUN_TOKEN_SECRET).toBe('a # "b" = c');
    expect(handedTo(at, 'migrate').DATABASE_ADMIN_URL).toBe(
      'postgresql://switchyard:p%40ss%2Fw@postgres:5432/postgres',
    );
    expect(text(at, 'handed-out/postgres/postgres-password')).toBe('p@ss/w');
  });

  it('must be configured in authenticated mode, even if keys were generated before', () => {
    const at = place();
    make(at);
    const before = FILES.map((name) => text(at, name));
    expect(() => make(at, { AUTH_MODE: 'authenticated' })).toThrow(
      'The environment is not usable:\n  RUN_TOKEN_SECRET: is missing\n  SESSION_SECRET: is missing\n  SECRETS_MASTER_KEY: is missing',
    );
    expect(FILES.map((name) => text(at, name))).toEqual(before);
  });

  it('can be read only by their owner, except files that PostgreSQL and Redis read', () => {
    const at = place();
    make(at);
    const mode = (name: string) => (statSync(join(at, name)).mode & 0o777).toString(8);
    expect(FILES.map(mode)).toEqual(['400', '400', '400', '400', '400', '444', '444']);
    expect(readdirSync(join(at, 'keys')).map((name) => mode(`keys/${name}`))).toEqual([
      '400',
      '400',
    ]);
  });

  it('cannot contain values that an env file of Node cannot represent', () => {
    for (const value of ["it's", 'two\nlines']) {
      const at = place();
      expect(() => make(at, { SESSION_SECRET: value })).toThrow(EnvironmentError);
      expect(readdirSync(join(at, 'keys'))).toEqual([]);
    }
  });
});

describe('a container', () => {
  it('receives only the keys that it needs', () => {
    const at = place();
    make(at);
    const keys = kept(at);
    const holders = (name: string) =>
      FILES.filter((file) => text(at, file).includes(keys[name] as string));
    expect(holders('SESSION_SECRET')).toEqual(['handed-out/api/api.env']);
    expect(holders('POSTGRES_PASSWORD')).toEqual([
      'handed-out/migrate/migrate.env',
      'handed-out/migrate-metrics/migrate.env',
      'handed-out/postgres/postgres-password',
    ]);
    expect(holders('DATABASE_OWNER_PASSWORD')).toEqual([
      'handed-out/migrate/migrate.env',
      'handed-out/migrate-metrics/migrate.env',
    ]);
    expect(holders('DATABASE_METRICS_PASSWORD')).toEqual([
      'handed-out/metrics/metrics.env',
      'handed-out/migrate-metrics/migrate.env',
    ]);
    const serving = ['handed-out/api/api.env', 'handed-out/worker/worker.env'];
    expect(holders('REDIS_PASSWORD')).toEqual([...serving, 'handed-out/redis/redis.conf']);
    expect(holders('DATABASE_APP_PASSWORD')).toEqual([
      ...serving,
      'handed-out/migrate/migrate.env',
    ]);
    expect(holders('SECRETS_MASTER_KEY')).toEqual(serving);
    expect(holders('RUN_TOKEN_SECRET')).toEqual(serving);
    expect(holders('RUNNER_TOKEN')).toEqual(['handed-out/worker/worker.env']);
    expect(handedTo(at, 'runner').RUNNER_TOKEN).toBe(keys.RUNNER_TOKEN);
  });

  it('receives the old value of a rotated secret together with the current one', () => {
    const at = place();
    const old = {
      RUN_TOKEN_SECRET_OLD: 'r'.repeat(40),
      SESSION_SECRET_OLD: 's'.repeat(40),
      RUNNER_TOKEN_OLD: 'u'.repeat(40),
    };
    make(at, old);
    const namesOf = (reader: string) =>
      Object.keys(handedTo(at, reader))
        .filter((name) => name in old)
        .sort();
    expect(namesOf('api')).toEqual(['RUN_TOKEN_SECRET_OLD', 'SESSION_SECRET_OLD']);
    expect(namesOf('worker')).toEqual(['RUNNER_TOKEN_OLD', 'RUN_TOKEN_SECRET_OLD']);
    expect(namesOf('runner')).toEqual([]);
  });

  it('receives optional secrets if they are set', () => {
    const at = place();
    make(at, { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret', EXCHANGE_API_KEY: 'key' });
    for (const reader of ['api', 'worker']) {
      expect(handedTo(at, reader)).toMatchObject({ S3_SECRET_ACCESS_KEY: 'secret' });
      expect(handedTo(at, reader)).not.toHaveProperty('EXCHANGE_API_KEY');
    }
    expect(handedTo(at, 'metrics')).toMatchObject({ EXCHANGE_API_KEY: 'key' });
    expect(handedTo(at, 'metrics')).not.toHaveProperty('S3_ACCESS_KEY_ID');
  });
});
