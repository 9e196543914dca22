import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { notice } from '@switchyard/bootstrap/terminal';
import { fromDistribution } from '../distribution/package.js';

/** How long a machine that had no package of it is not asked again: without a network that takes its time. */
const FORGOTTEN_AFTER_MS = 86_400_000;

/**
 * The variables by which services find bubblewrap, in which agents are confined: none where it is installed, else those
 * of the distribution's package, unpacked below the project. Without either another driver may do, so nothing fails.
 */
export async function provideBubblewrap(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<NodeJS.ProcessEnv> {
  const wanted = env.SANDBOX || 'auto';
  if (process.platform !== 'linux' || !['auto', 'bwrap'].includes(wanted)) return {};
  if (env.BWRAP_COMMAND || isInstalled(env)) return {};
  const home = path.join(root, '.cache/bubblewrap');
  const missing = `${home}.missing`;
  if (isFresh(missing)) return {};
  mkdirSync(path.dirname(home), { recursive: true });
  const found = await fromDistribution(
    {
      product: 'bubblewrap',
      packages: ['bubblewrap'],
      programs: ['bwrap'],
      probe: ({ command, libraries }) => versionOf(command, { LD_LIBRARY_PATH: libraries }),
    },
    home,
    signal,
  );
  if (!found) {
    if (existsSync(path.dirname(home))) writeFileSync(missing, '');
    notice('bubblewrap is not installed, and no package of it is to be had: docs/sandbox.md');
    return {};
  }
  rmSync(missing, { force: true });
  return {
    BWRAP_COMMAND: found.command,
    ...(found.libraries !== '' && { BWRAP_LIBRARY_PATH: found.libraries }),
  };
}

function isInstalled({ PATH }: NodeJS.ProcessEnv): boolean {
  const folders = (PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders
    .map((folder) => path.join(folder, 'bwrap'))
    .some((file) => existsSync(file) && versionOf(file, {}) !== undefined);
}

function versionOf(command: string, env: NodeJS.ProcessEnv): { label: string } | undefined {
  try {
    const options = { env, encoding: 'utf8', stdio: 'pipe', timeout: 10_000 } as const;
    return { label: execFileSync(command, ['--version'], options).trim() };
  } catch {
    return undefined;
  }
}

function isFresh(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs > Date.now() - FORGOTTEN_AFTER_MS;
}
