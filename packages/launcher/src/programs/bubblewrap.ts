import {
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
  writeCommand(home, found);
  return { PATH: [home, env.PATH].filter(Boolean).join(path.delimiter) };
}

/**
 * Creates a link, which starts faster than a script. A bubblewrap with its own libraries needs a
 * script, which keeps LD_LIBRARY_PATH from its children. Paths are relative, so that the folder can
 * be moved.
 */
function writeCommand(home: string, { command, libraries }: Unpacked): void {
  const draft = path.join(home, `bwrap.${process.pid}`);
  rmSync(draft, { force: true });
  if (libraries === '') symlinkSync(path.relative(home, command), draft);
  else writeFileSync(draft, scriptOf(home, { command, libraries }), { mode: 0o755 });
  renameSync(draft, path.join(home, 'bwrap'));
}

function scriptOf(home: string, { command, libraries }: Omit<Unpacked, 'version'>): string {
  const here = (file: string) => `"\${0%/*}"/${path.relative(home, file)}`;
  const folders = libraries.split(':').map(here).join(':');
  const variable = 'LD_LIBRARY_PATH';
  return `#!/bin/sh\n${variable}=${folders} exec ${here(command)} --unsetenv ${variable} "$@"\n`;
}
