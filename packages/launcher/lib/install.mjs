import { existsSync } from 'node:fs';
import path from 'node:path';
import { packageManager, packageManagerArguments } from './pnpm.mjs';
import { explain } from './problem.mjs';
import { run } from './process/run.mjs';
import { hashOf, isStamped, stamp } from './stamp.mjs';
import { step } from './terminal/steps.mjs';

function lockHash(root) {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml']
    .map((name) => path.join(root, name))
    .filter((file) => existsSync(file));
  return hashOf(files, [process.platform, process.arch]);
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
    const { name } = packageManager(root);
    const env = environment(process.env);
    const manager = await packageManagerArguments(root, { env, signal }).catch((error) => {
      throw error.stderr ? explain(`Fetching ${name}`, error.stderr, 'Try again.') : error;
    });
    const args = [...manager, 'install', '--frozen-lockfile'];
    const { code, output } = await run('npx', [...args, '--config.confirmModulesPurge=false'], {
      cwd: root,
      env,
      signal,
    });
    if (code !== 0) {
      throw explain('Installing the packages', output, `Run it by hand: npx ${args.join(' ')}`);
    }
    stamp(root, 'install', hash);
    return { text: `packages installed by ${name}` };
  });
}
