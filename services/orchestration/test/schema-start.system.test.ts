import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openPool, type Pool, SCHEMA_VERSION } from '@switchyard/db';
import { type ClonedDatabase, cloneDatabase, freePort, redisUrl, until } from '@switchyard/testing';
import { RUN_TOKEN_SECRET, SECRETS_MASTER_KEY } from './harness';

const SERVICES = [
  ['orchestration', 'orchestration/dist/bin/api.js', '/readyz'],
  ['orchestration', 'orchestration/dist/bin/worker.js', '/readyz'],
  ['metrics', 'metrics/dist/bin/metrics.js', '/health'],
] as const;

const started = new Set<ReturnType<typeof spawn>>();
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

async function start(file: string, databaseUrl: string) {
  const port = String(await freePort());
  const child = spawn(process.execPath, [join(__dirname, '../..', file)], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl(),
      REDIS_PREFIX: `schema-${process.pid}`,
      RUN_TOKEN_SECRET,
      SECRETS_MASTER_KEY,
      API_PORT: file.includes('api') ? port : '0',
      WORKER_PORT: file.includes('worker') ? port : '0',
      MARKET_METRICS_PORT: port,
      API_PROMETHEUS_PORT: '0',
      AGENT_PORT: '0',
      SHUTDOWN_GRACE_SEC: '4',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said.text += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { said, ended, stop: () => child.kill('SIGTERM'), url: `http://127.0.0.1:${port}` };
}

describe('the start of every process', () => {
  const databases = {} as Record<'orchestration' | 'metrics', ClonedDatabase & { pool: Pool }>;

  beforeAll(async () => {
    for (const product of ['orchestration', 'metrics'] as const) {
      const clone = await cloneDatabase(product);
      const options = { size: 2, applicationName: 'test', onIdleError: () => undefined };
      databases[product] = { ...clone, pool: openPool({ url: clone.ownerUrl, ...options }) };
    }
  });
  afterAll(async () => {
    for (const { pool, drop } of Object.values(databases)) {
      await pool.end();
      await drop();
    }
  });
  const everywhere = (sql: (product: 'orchestration' | 'metrics') => string) =>
    Promise.all([
      databases.orchestration.pool.query(sql('orchestration')),
      databases.metrics.pool.query(sql('metrics')),
    ]);

  it('succeeds if the database has a newer schema', async () => {
    await everywhere(
      () =>
        "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '9999_later', now())",
    );
    await Promise.all(
      SERVICES.map(async ([product, file, ready]) => {
        const one = await start(file, databases[product].url);
        await until(`${file} to be ready`, async () => {
          const response = await fetch(one.url + ready).catch(() => null);
          return response?.status === 200;
        });
        one.stop();
        expect(await one.ended).toBe(0);
      }),
    );
  });

  it('fails if the database has an older schema, and the error names both versions', async () => {
    await everywhere(() => "DELETE FROM _prisma_migrations WHERE migration_name = '9999_later'");
    await everywhere(
      (product) =>
        `UPDATE _prisma_migrations SET migration_name = '0000_first' WHERE migration_name = '${SCHEMA_VERSION[product]}'`,
    );
    await Promise.all(
      SERVICES.map(async ([product, file]) => {
        const { pool, url } = databases[product];
        const { rows } = await pool.query(
          'SELECT max(migration_name) AS newest FROM _prisma_migrations',
        );
        const one = await start(file, url);
        expect(await one.ended).toBe(1);
        expect(one.said.text.trim().split('\n').at(-1)).toBe(
          `the ${product} database is at migration ${rows[0].newest}, but this release requires ${SCHEMA_VERSION[product]}: run its migrations first`,
        );
      }),
    );
  });
});
