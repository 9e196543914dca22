// @ts-check
import path from 'node:path';
import { onceFor } from './once-for.mjs';
import { packageManager, packageManagerArguments } from './pnpm.mjs';
import { runInGroup } from './run.mjs';
import { step } from './terminal.mjs';
import { explain } from './user-error.mjs';

/** @param {string} root @param {AbortSignal} signal */
export async function install(root, signal) {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map((name) => path.join(root, name));
  const output = path.join(root, 'node_modules');
  await onceFor(root, 'install', { files, output }, async () => {
    await step('install packages', () => installNow(root, signal));
  });
}

/** @param {string} root @param {AbortSignal} signal */
async function installNow(root, signal) {
  const { name } = packageManager(root);
  const env = environment(process.env);
  const manager = await packageManagerArguments(root, { env, signal }).catch((error) => {
    throw error.stderr ? explain(`Fetching ${name}`, error.stderr, 'Try again.') : error;
  });
  const args = [...manager, 'install', '--frozen-lockfile'];
  const all = [...args, '--config.confirmModulesPurge=false'];
  const { code, output } = await runInGroup('npx', all, { cwd: root, env, signal });
  if (code === 0) return { text: `packages installed by ${name}` };
  throw explain('Installing the packages', output, `Run it by hand: npx ${args.join(' ')}`);
}

const SHORT_PAUSES = {
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '4000',
};

/**
 * Adds Node.js's folder to PATH, because npx is in that folder and PATH may lack it, e.g. in a
 * service unit.
 * @param {NodeJS.ProcessEnv} env
 */
function environment({ PATH, ...env }) {
  const folders = [PATH, path.dirname(process.execPath)].filter(Boolean);
  return { ...SHORT_PAUSES, ...env, PATH: folders.join(path.delimiter) };
}
