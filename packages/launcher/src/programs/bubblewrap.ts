import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { notice } from '@switchyard/bootstrap/terminal';
import { findOnPath, versionOf } from './find.js';
import { type Unpacked, unpackPackage } from './unpack.js';

const BUBBLEWRAP = {
  product: 'bubblewrap',
  packages: ['bubblewrap'],
  programs: ['usr/bin/bwrap'],
};

const FORGOTTEN_AFTER_MS = 86_400_000;

export async function provideBubblewrap(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  platform: NodeJS.Platform = process.platform,
): Promise<NodeJS.ProcessEnv> {
  const isWanted = ['auto', 'bwrap'].includes(env.SANDBOX || 'auto');
  if (platform !== 'linux' || !isWanted) return {};
  for (const program of findOnPath(['bwrap'], env)) if (await versionOf(program)) return {};
  const home = path.join(root, '.cache/bubblewrap');
  const missing = `${home}.missing`;
  const asked = statSync(missing, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (asked > Date.now() - FORGOTTEN_AFTER_MS) return {};
  mkdirSync(path.dirname(home), { recursive: true });
  const found = await unpackPackage(BUBBLEWRAP, home, signal);
  if (!found) {
    if (existsSync(path.dirname(home))) writeFileSync(missing, '');
    notice('bubblewrap is not installed, and no package is available: see docs/sandbox.md');
    return {};
  }
  rmSync(missing, { force: true });
  writeFileSync(path.join(home, 'bwrap'), wrapperOf(home, found), { mode: 0o755 });
  return { PATH: [home, env.PATH].filter(Boolean).join(path.delimiter) };
}

/**
 * Paths are relative to the script, so that the folder can be moved. The libraries are only for
 * bubblewrap itself, so its child processes do not inherit LD_LIBRARY_PATH.
 */
function wrapperOf(home: string, { command, libraries }: Unpacked): string {
  const here = (file: string) => `"\${0%/*}"/${path.relative(home, file)}`;
  const folders = libraries.split(':').filter(Boolean).map(here);
  if (folders.length === 0) return `#!/bin/sh\nexec ${here(command)} "$@"\n`;
  const variable = 'LD_LIBRARY_PATH';
  return `#!/bin/sh\n${variable}=${folders.join(':')} exec ${here(command)} --unsetenv ${variable} "$@"\n`;
}
