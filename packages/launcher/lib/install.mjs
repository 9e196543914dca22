import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { explain, problem } from './problem.mjs';
import { run } from './process/run.mjs';
import { hashOf, isStamped, stamp } from './stamp.mjs';
import { step } from './terminal/steps.mjs';

function lockHash(root) {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml']
    .map((name) => path.join(root, name))
    .filter((file) => existsSync(file));
  return hashOf(files, [process.platform, process.arch]);
}

export function packageManager(root) {
  const { packageManager: field } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  if (field) return field.split('+')[0];
  throw problem(
    'package.json names no packageManager.',
    'Restore package.json from the repository.',
  );
}

/** npm's own pauses between tries make a missing network cost more than a minute. */
const SHORT_PAUSES = {
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '4000',
};

/** npx stands beside node even where PATH lacks it (a service unit, a desktop launcher). */
function environment({ PATH, ...env }) {
  const folders = [PATH, path.dirname(process.execPath)].filter(Boolean);
  return { ...SHORT_PAUSES, ...env, PATH: folders.join(path.delimiter) };
}

export async function install(root, { signal }) {
  const hash = lockHash(root);
  if (isStamped(root, 'install', hash)) return;
  await step('install packages', async () => {
    const manager = packageManager(root);
    const args = ['-y', manager, 'install', '--frozen-lockfile'];
    const { code, output } = await run('npx', [...args, '--config.confirmModulesPurge=false'], {
      cwd: root,
      env: environment(process.env),
      signal,
    });
    if (code !== 0) {
      throw explain('Installing the packages', output, `Run it by hand: npx ${args.join(' ')}`);
    }
    stamp(root, 'install', hash);
    return { text: `packages installed by ${manager}` };
  });
}
