// @ts-check
// Generates the Prisma client of one database: node packages/db/bin/generate-client.mjs <orchestration | metrics>
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const [name = ''] = process.argv.slice(2);
const { status } = spawnSync(
  path.join(root, 'node_modules/.bin/prisma'),
  ['generate', '--config', path.join('prisma', name, 'prisma.config.ts')],
  {
    cwd: root,
    stdio: 'inherit',
    // Every Prisma command first tries to download a missing engine, but generating needs none.
    env: {
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      ...process.env,
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
    },
  },
);
process.exit(status ?? 1);
