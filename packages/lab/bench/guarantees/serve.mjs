import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';

const require = createRequire(import.meta.url);
const { listen, silentLogger } = require('@switchyard/server');
const { createApplication } = require('@switchyard/orchestration/dist/http/app.js');
const { readConfig } = require('@switchyard/orchestration/dist/config.js');
const { createContext } = require('@switchyard/orchestration/dist/create-context.js');

export async function serve(databaseUrl) {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: process.env.REDIS_URL ?? 'redis://127.0.0.1:1',
    RUN_TOKEN_SECRET: 'a secret of the benchmark, which signs nothing at all',
    SECRETS_MASTER_KEY: Buffer.alloc(32).toString('base64'),
    DATA_DIR: tmpdir(),
    LOG_LEVEL: 'error',
  });
  const context = createContext(config, 'bench', { logger: silentLogger });
  const statements = [];
  context.db.pool.on('connect', (client) => {
    const query = client.query.bind(client);
    client.query = (first, ...rest) => {
      if (typeof first === 'object' && first.text) {
        const values = first.values ?? (Array.isArray(rest[0]) ? rest[0] : []);
        statements.push({ text: first.text, values });
      }
      return query(first, ...rest);
    };
  });
  const app = createApplication(context, () => false);
  const listening = await listen(app, '127.0.0.1', 0);
  return {
    url: `http://127.0.0.1:${listening.port}`,
    pool: context.db.pool,
    statements,
    close: async () => {
      await listening.close(1_000);
      await context.close();
    },
  };
}
