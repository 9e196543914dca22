import { checkUrls } from '../databases.js';
import type { Lifecycle } from '../process/lifecycle.js';
import { runInTerminal } from '../process/run.js';
import { programFile } from '../program-file.js';
import { loadEnvFile, readSettings } from '../settings.js';
import { reachDatabases } from './backup.js';
import { buildProjects } from './build.js';
import { rotateKeys } from './rotate-keys.js';

export async function administer(life: Lifecycle, root: string, words: string[]): Promise<number> {
  await buildProjects(root, ['services/orchestration'], life.stop);
  if (words.length === 1 && words[0] === 'rotate-keys') return rotateKeys(life, root);
  const url = await databaseUrl(life, root);
  const env = { ...process.env, DATABASE_URL: url };
  const args = [programFile(root, 'services/orchestration/dist/bin/admin.js'), ...words];
  return runInTerminal(life, process.execPath, args, { cwd: root, env });
}

async function databaseUrl(life: Lifecycle, root: string): Promise<string> {
  loadEnvFile(root);
  const settings = readSettings(root, process.env);
  checkUrls(settings);
  return settings.env.DATABASE_URL || (await reachDatabases(life, settings)).orchestration.url;
}
