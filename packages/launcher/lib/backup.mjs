import { existsSync } from 'node:fs';
import path from 'node:path';
import { installAndBuild } from './build.mjs';
import { claimDataDir } from './claim.mjs';
import { checkUrls, provideDatabases, runningDatabases } from './databases.mjs';
import { prepareRoles } from './migrate.mjs';
import { problem } from './problem.mjs';
import { ORDER } from './process/life.mjs';
import { readJson, takeLock } from './process/lock.mjs';
import { run } from './process/run.mjs';
import { loadEnvFile, makeDataDir, readSettings } from './settings.mjs';
import { notice, say } from './terminal/steps.mjs';

const BIN = 'services/orchestration/dist/bin';

const FILE_OPTIONS = ['--identity', '--passphrase-file'];

/** npm runs its scripts at the root, wherever it was called: names of files and folders are meant from there. */
function absolute(args) {
  const here = process.env.INIT_CWD ?? process.cwd();
  return args.map((arg, at) => {
    if (FILE_OPTIONS.includes(args[at - 1])) return path.resolve(here, arg);
    const option = FILE_OPTIONS.find((name) => arg.startsWith(`${name}=`));
    return option ? `${option}=${path.resolve(here, arg.slice(option.length + 1))}` : arg;
  });
}

function check(root, [folder, ...options], command) {
  if (!folder || folder.startsWith('-')) {
    throw problem('No folder was named.', `npm run ${command} -- <folder>`);
  }
  loadEnvFile(root);
  const settings = readSettings(root, process.env);
  checkUrls(settings);
  const args = [path.resolve(process.env.INIT_CWD ?? process.cwd(), folder), ...absolute(options)];
  return { settings, args };
}

/** The key that the local mode keeps, where the operator gave none; never a new one. */
const keptKey = ({ dataDir }) => readJson(path.join(dataDir, 'secrets.json'))?.SECRETS_MASTER_KEY;

async function play(command, args, { root, env, dataDir }, databases, signal) {
  const SECRETS_MASTER_KEY = env.SECRETS_MASTER_KEY || keptKey({ dataDir }) || '';
  const { code, output } = await run(
    process.execPath,
    [path.join(root, BIN, `${command}.js`), ...args],
    {
      cwd: root,
      env: {
        ...env,
        DATABASE_URL: databases.orchestration.ownerUrl,
        METRICS_DATABASE_URL: databases.metrics.ownerUrl,
        DATA_DIR: dataDir,
        SECRETS_MASTER_KEY,
      },
      signal,
    },
  );
  if (code === 0) return say(output.trimEnd());
  throw problem(`The ${command} failed and left nothing.`, 'See the reason above.', output);
}

const areGiven = ({ env }) => env.DATABASE_URL && env.METRICS_DATABASE_URL;

async function preparedDatabases(life, settings) {
  const { databases } = await provideDatabases(life, settings);
  await prepareRoles(settings.root, databases, life.stop);
  return databases;
}

/** Beside a running `npm start` its PostgreSQL is used; else one is started for as long as this takes. */
export async function reachDatabases(life, settings) {
  if (areGiven(settings)) return (await provideDatabases(life, settings)).databases;
  if (!existsSync(path.join(settings.dataDir, 'postgres.json'))) {
    throw problem(
      `There is no database in ${settings.dataDir}, and none was given.`,
      'Set DATA_DIR, or DATABASE_URL and METRICS_DATABASE_URL, to what is to be saved.',
    );
  }
  const { taken, release } = await takeLock(settings.lockFile);
  if (!taken) return runningDatabases(settings, life.stop);
  life.onEnd(ORDER.lock, release);
  return preparedDatabases(life, settings);
}

/** `npm run backup -- <folder>`: beside a running Switchyard or a stopped one. */
export async function backUp(life, root, named) {
  const { settings, args } = check(root, named, 'backup');
  await installAndBuild(root, { signal: life.stop, projects: ['services/orchestration'] });
  const databases = await reachDatabases(life, settings);
  await play('backup', args, settings, databases, life.stop);
}

/** `npm run restore -- <folder>`: into a DATA_DIR, or databases, that hold nothing yet. */
export async function restore(life, root, named) {
  const { settings, args } = check(root, named, 'restore');
  makeDataDir(settings);
  await claimDataDir(life, settings);
  await installAndBuild(root, { signal: life.stop, projects: ['services/orchestration'] });
  const databases = await preparedDatabases(life, settings);
  await play('restore', args, settings, databases, life.stop);
  const { authMode, env } = settings;
  if (authMode === 'local_trusted' && env.SECRETS_MASTER_KEY && !keptKey(settings)) {
    notice('the master key is in no secrets.json here: keep SECRETS_MASTER_KEY set, e.g. in .env');
  }
}
