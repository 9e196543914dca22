import { existsSync } from 'node:fs';
import path from 'node:path';
import { readJson, takeLock } from '@switchyard/bootstrap/lock';
import { notice, say } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import { checkUrls, type Databases, provideDatabases, runningDatabases } from '../databases.js';
import { lockDataDir } from '../lock-data-dir.js';
import { prepareRoles } from '../migrate.js';
import type { Lifecycle } from '../process/lifecycle.js';
import { runOrFail } from '../process/run.js';
import { programFile } from '../program-file.js';
import { loadEnvFile, makeDataDir, readSettings, type Settings } from '../settings.js';
import { buildProjects } from './build.js';

const BUILT = ['services/orchestration'];

export async function backUp(life: Lifecycle, root: string, words: string[]): Promise<undefined> {
  const { settings, args } = check(root, words, 'backup');
  await buildProjects(root, BUILT, life.stop);
  const databases = await reachDatabases(life, settings);
  await play('backup', args, settings, databases, life.stop);
}

export async function restore(life: Lifecycle, root: string, words: string[]): Promise<undefined> {
  const { settings, args } = check(root, words, 'restore');
  makeDataDir(settings);
  await lockDataDir(life, settings);
  await buildProjects(root, BUILT, life.stop);
  const databases = await preparedDatabases(life, settings);
  await play('restore', args, settings, databases, life.stop);
  const { authMode, env } = settings;
  if (authMode === 'local_trusted' && env.SECRETS_MASTER_KEY && !keptKey(settings)) {
    notice('SECRETS_MASTER_KEY is not stored in DATA_DIR: keep it set, for example in .env');
  }
}

const fromHere = (name: string) =>
  name.startsWith('s3://') ? name : path.resolve(process.env.INIT_CWD ?? process.cwd(), name);

function check(root: string, [folder, ...options]: string[], command: string) {
  if (!folder || folder.startsWith('-')) {
    throw new UserError(
      'The command requires a folder as its first argument.',
      `npm run ${command} -- <folder>`,
    );
  }
  loadEnvFile(root);
  const settings = readSettings(root, process.env);
  checkUrls(settings);
  return { settings, args: [fromHere(folder), ...withAbsoluteFiles(options)] };
}

const FILE_OPTIONS = ['--identity', '--passphrase-file'];

function withAbsoluteFiles(args: string[]): string[] {
  return args.map((arg, at) => {
    if (FILE_OPTIONS.includes(args[at - 1] ?? '')) return fromHere(arg);
    const option = FILE_OPTIONS.find((name) => arg.startsWith(`${name}=`));
    return option ? `${option}=${fromHere(arg.slice(option.length + 1))}` : arg;
  });
}

export async function reachDatabases(life: Lifecycle, settings: Settings): Promise<Databases> {
  const { env, dataDir, lockFile } = settings;
  if (env.DATABASE_URL && env.METRICS_DATABASE_URL) {
    return (await provideDatabases(life, settings)).databases;
  }
  if (!existsSync(path.join(dataDir, 'postgres.json'))) {
    throw new UserError(
      `${dataDir} contains no database, and DATABASE_URL is not set.`,
      'Set DATA_DIR, or DATABASE_URL and METRICS_DATABASE_URL, to the data to back up.',
    );
  }
  const { taken, release } = await takeLock(lockFile);
  if (!taken) return runningDatabases(settings, life.stop);
  life.onEnd(release);
  return preparedDatabases(life, settings);
}

async function preparedDatabases(life: Lifecycle, settings: Settings): Promise<Databases> {
  const { databases } = await provideDatabases(life, settings);
  await prepareRoles(settings.root, databases, life.stop);
  return databases;
}

async function play(
  command: string,
  args: string[],
  settings: Settings,
  databases: Databases,
  signal: AbortSignal,
): Promise<void> {
  const { root, env, dataDir } = settings;
  const bin = programFile(root, `services/orchestration/dist/bin/${command}.js`);
  const own = {
    ...env,
    DATABASE_URL: databases.orchestration.ownerUrl,
    METRICS_DATABASE_URL: databases.metrics.ownerUrl,
    DATA_DIR: dataDir,
    SECRETS_MASTER_KEY: env.SECRETS_MASTER_KEY || keptKey(settings) || '',
  };
  const options = { cwd: root, env: own, signal };
  const failure = [`The ${command} failed; nothing was stored.`, 'See the reason above.'] as const;
  say(await runOrFail(process.execPath, [bin, ...args], options, failure));
}

const keptKey = ({ dataDir }: Settings): string | undefined =>
  readJson(path.join(dataDir, 'secrets.json'))?.SECRETS_MASTER_KEY;
