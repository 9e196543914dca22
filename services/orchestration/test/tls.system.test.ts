import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { openPool } from '@switchyard/db';
import { connectQueues, connectShared } from '@switchyard/queue';
import { selfSigned } from '@switchyard/runner/test/self-signed';
import { administer, cloneDatabase, redisUrl, until } from '@switchyard/testing';
import { readConfig } from '../src/config';
import { createContext } from '../src/create-context';

const { key, certificate } = selfSigned();
const folder = mkdtempSync(join(tmpdir(), 'tls-'));
const caFile = join(folder, 'ca.pem');
const otherFile = join(folder, 'other.pem');
writeFileSync(caFile, certificate);
writeFileSync(otherFile, selfSigned().certificate);
afterAll(() => rmSync(folder, { recursive: true }));

const required = (variables: Record<string, string>) => ({
  RUN_TOKEN_SECRET: 'r'.repeat(32),
  SECRETS_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  DATABASE_URL: 'postgresql://one@localhost/one',
  REDIS_URL: 'redis://localhost',
  ...variables,
});

describe('TLS to PostgreSQL', () => {
  let url: string;

  beforeAll(async () => {
    for (const [file, text] of [
      ['tls-test.crt', certificate],
      ['tls-test.key', key],
    ] as const) {
      const base64 = Buffer.from(text).toString('base64');
      await administer(
        `COPY (SELECT '${base64}') TO PROGRAM 'umask 077 && base64 -d > ${file} && chmod 600 ${file}'`,
      );
    }
    await administer("ALTER SYSTEM SET ssl_cert_file = 'tls-test.crt'");
    await administer("ALTER SYSTEM SET ssl_key_file = 'tls-test.key'");
    await administer('ALTER SYSTEM SET ssl = on');
    await administer('SELECT pg_reload_conf()');
    const cloned = new URL((await cloneDatabase('orchestration')).url);
    cloned.hostname = 'localhost';
    url = cloned.href;
    await until('PostgreSQL takes TLS', () => usesTls({ sslmode: 'no-verify' }).catch(() => null));
  });

  afterAll(async () => {
    for (const name of ['ssl', 'ssl_cert_file', 'ssl_key_file']) {
      await administer(`ALTER SYSTEM RESET ${name}`);
    }
    await administer('SELECT pg_reload_conf()');
  });

  const withParameters = (parameters: Record<string, string>) => {
    const changed = new URL(url);
    for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
    return changed.href;
  };

  async function usesTls(parameters: Record<string, string>): Promise<boolean> {
    const pool = openPool({
      url: withParameters(parameters),
      size: 1,
      applicationName: 'tls-test',
      onIdleError: () => undefined,
    });
    try {
      const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      return rows[0].ssl;
    } finally {
      await pool.end();
    }
  }

  it('accepts a server certificate of the configured authority', async () => {
    expect(await usesTls({ sslmode: 'verify-full', sslrootcert: caFile })).toBe(true);
    expect(await usesTls({ sslmode: 'disable' })).toBe(false);
  });

  it.each(['require', 'verify-full'])(
    'rejects a server certificate of an unknown authority: sslmode=%s',
    async (sslmode) => {
      await expect(usesTls({ sslmode, sslrootcert: otherFile })).rejects.toThrow(/certificate/);
      await expect(usesTls({ sslmode })).rejects.toThrow(/certificate/);
    },
  );

  it('protects every connection of a process', async () => {
    const DATABASE_URL = withParameters({ sslmode: 'verify-full', sslrootcert: caFile });
    const config = readConfig(required({ DATABASE_URL, REDIS_URL: redisUrl() }));
    const context = createContext({ ...config, dataDir: folder }, 'tls-test');
    try {
      await context.db.prisma.company.count();
      await context.probePool.query('SELECT 1');
      const { rows } = await context.db.pool.query(
        `SELECT count(*)::int AS connections, bool_and(ssl) AS all_tls
         FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'switchyard-tls-test%'`,
      );
      expect(rows[0].connections).toBeGreaterThan(1);
      expect(rows[0].all_tls).toBe(true);
    } finally {
      await context.close();
    }
  });
});

describe('TLS to Redis', () => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    const plain = new URL(redisUrl());
    server = createServer({ key, cert: certificate }, (socket) => {
      const upstream = connect(Number(plain.port), plain.hostname);
      for (const each of [socket, upstream]) each.on('error', () => undefined);
      socket.on('close', () => upstream.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as { port: number };
    url = Object.assign(new URL(redisUrl()), { host: `localhost:${port}` }).href.replace(
      'redis:',
      'rediss:',
    );
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('accepts a server certificate of the configured authority', async () => {
    const { redisUrl: read, redisCa } = readConfig(
      required({ REDIS_URL: url, REDIS_CA_FILE: caFile }),
    );
    const shared = connectShared(read, () => undefined, redisCa);
    const queues = connectQueues(read, () => undefined, redisCa);
    try {
      expect(await shared.ping()).toBe('PONG');
      expect(await queues.consumer.ping()).toBe('PONG');
    } finally {
      shared.disconnect();
      await queues.close();
    }
  });

  it.each([
    ['contains another authority', otherFile],
    ['is unset', undefined],
  ])('rejects the server certificate if REDIS_CA_FILE %s', async (_, file) => {
    const variables = required({ REDIS_URL: url, ...(file && { REDIS_CA_FILE: file }) });
    const config = readConfig(variables);
    const errors: Error[] = [];
    const shared = connectShared(config.redisUrl, (error) => errors.push(error), config.redisCa);
    try {
      await expect(shared.ping()).rejects.toThrow();
      expect(errors.join()).toMatch(/certificate/);
    } finally {
      shared.disconnect();
    }
  });
});

it('an unreadable certificate file prevents the start, and the error names the setting', () => {
  const DATABASE_URL = 'postgresql://one@db/one?sslmode=verify-full&sslrootcert=/lacking.pem';
  const read = () => readConfig(required({ DATABASE_URL, REDIS_CA_FILE: folder }));
  expect(read).toThrow('DATABASE_URL: sslrootcert cannot be read (ENOENT)');
  expect(read).toThrow('REDIS_CA_FILE: cannot be read (EISDIR)');
});
