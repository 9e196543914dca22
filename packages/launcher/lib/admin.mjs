import { spawn } from 'node:child_process';
import path from 'node:path';
import { reachDatabases } from './backup.mjs';
import { installAndBuild } from './build.mjs';
import { checkUrls } from './databases.mjs';
import { loadEnvFile, readSettings } from './settings.mjs';

const BIN = 'services/orchestration/dist/bin/admin.js';

/** Without DATABASE_URL the database of DATA_DIR, beside a running Switchyard or a stopped one. */
async function databaseUrl(life, root) {
  loadEnvFile(root);
  const settings = readSettings(root, process.env);
  checkUrls(settings);
  return settings.env.DATABASE_URL || (await reachDatabases(life, settings)).orchestration.url;
}

/** `npm run admin -- <command> …`; a password may come in by the terminal. Answers the exit code. */
export async function administer(life, root, words) {
  await installAndBuild(root, { signal: life.stop, projects: ['services/orchestration'] });
  const env = { ...process.env, DATABASE_URL: await databaseUrl(life, root) };
  const args = [path.join(root, BIN), ...words];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
    life.stop.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
