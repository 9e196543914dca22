import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { waitForLock } from '@switchyard/bootstrap/lock';
import { notice, step } from '@switchyard/bootstrap/terminal';
import { run } from '../process/run.js';
import { versionOf } from './find.js';

interface Wanted {
  product: string;
  packages: string[];
  programs: string[];
}

export interface Unpacked {
  command: string;
  libraries: string;
  version: string;
}

export async function unpackPackage(
  wanted: Wanted,
  home: string,
  signal: AbortSignal,
): Promise<Unpacked | undefined> {
  if (!['/usr/bin/apt-get', '/usr/bin/dpkg'].every((file) => existsSync(file))) return undefined;
  const { product } = wanted;
  const release = await waitForLock(`${home}.lock`, {
    signal,
    onWait: ({ pid }) => notice(`waiting for process ${pid}, which is unpacking ${product}`),
  });
  try {
    const kept = await findIn(home, wanted);
    if (kept) return kept;
    const { found } = await step(`unpack the distribution's ${product} package`, async () => {
      const found = await unpack(wanted, home, signal);
      const text = found ? `${product} unpacked` : `no ${product} package is available here`;
      return { found, text };
    });
    return found;
  } finally {
    release();
  }
}

async function unpack(
  wanted: Wanted,
  home: string,
  signal: AbortSignal,
): Promise<Unpacked | undefined> {
  const draft = `${home}.new`;
  const tool = async (command: string, ...args: string[]) =>
    (await run(command, args, { signal })).code === 0;
  try {
    for (const areFresh of [false, true]) {
      rmSync(draft, { recursive: true, force: true });
      for (const part of ['root', 'apt/archives/partial', 'apt/lists/partial']) {
        mkdirSync(path.join(draft, part), { recursive: true });
      }
      const options = aptOptions(draft, areFresh);
      if (areFresh && !(await tool('apt-get', ...options, 'update'))) return undefined;
      for (const name of wanted.packages) {
        const install = ['install', '--yes', '--download-only', '--no-install-recommends', name];
        if (!(await tool('apt-get', ...options, ...install))) continue;
        const archives = path.join(draft, 'apt/archives');
        // Excludes the C library, because it would not match the system's loader.
        const files = readdirSync(archives).filter((file) => /^(?!libc6_).*\.deb$/.test(file));
        for (const file of files) {
          await tool('dpkg', '-x', path.join(archives, file), path.join(draft, 'root'));
        }
        if (!(await findIn(draft, wanted))) continue;
        rmSync(path.join(draft, 'apt'), { recursive: true });
        rmSync(home, { recursive: true, force: true });
        renameSync(draft, home);
        return await findIn(home, wanted);
      }
    }
    return undefined;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function aptOptions(draft: string, areFresh: boolean): string[] {
  return [
    `Dir::Cache=${draft}/apt`,
    ...(areFresh ? [`Dir::State::lists=${draft}/apt/lists`] : []),
    'Debug::NoLocking=1',
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
    'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false',
    'Acquire::Retries=1',
    'Acquire::http::Timeout=10',
    'Acquire::https::Timeout=10',
  ].flatMap((option) => ['-o', option]);
}

async function findIn(home: string, { programs }: Wanted): Promise<Unpacked | undefined> {
  const root = path.join(home, 'root');
  const command = programs.map((name) => path.join(root, name)).find((file) => existsSync(file));
  if (!command) return undefined;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const folders = files.filter((name) => /\.so(\.|$)/.test(name)).map((name) => path.dirname(name));
  const libraries = [...new Set(folders)]
    .sort()
    .map((folder) => path.join(root, folder))
    .join(':');
  const version = await versionOf(command, { LD_LIBRARY_PATH: libraries });
  return version === undefined ? undefined : { command, libraries, version };
}
