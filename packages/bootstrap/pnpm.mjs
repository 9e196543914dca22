// @ts-check
// Runs the package manager of package.json after checking its hash: node packages/bootstrap/pnpm.mjs install
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { packageManagerArguments } from './lib/pnpm.mjs';

const root = path.resolve(import.meta.dirname, '../..');

try {
  const args = await packageManagerArguments(root);
  const { status } = spawnSync('npx', [...args, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} catch (thrown) {
  const error = /** @type {Error & { stderr?: string; next?: string }} */ (thrown);
  process.stderr.write(`${error.stderr ?? ''}${error.message} ${error.next ?? ''}\n`);
  process.exitCode = 1;
}
