import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { waitForLock } from '@switchyard/bootstrap/lock';
import { notice, step } from '@switchyard/bootstrap/terminal';
import { run } from '../process/run.js';

/** How a program that was unpacked somewhere is called. */
export interface Call {
  command: string;
  /** Where its libraries lie, separated by colons; empty when it needs none of its own. */
  libraries: string;
}

export interface Wanted<T extends { label: string }> {
  /** For people. */
  product: string;
  /** Packages that have it, the preferred one first. */
  packages: readonly string[];
  /** Its program in `usr/bin`, in order of preference. */
  programs: readonly string[];
  /** What runs when it is called so; undefined when it does not. */
  probe(call: Call): T | undefined;
}

/** One that runs, and how it is called where it is kept. */
export type Unpacked<T> = T & Call;

/**
 * A package of the distribution, unpacked below `home` without being installed: with the lists at hand, else fresh
 * ones. Needs no root.
 */
export async function fromDistribution<T extends { label: string }>(
  wanted: Wanted<T>,
  home: string,
  signal: AbortSignal,
): Promise<Unpacked<T> | undefined> {
  if (!['/usr/bin/apt-get', '/usr/bin/dpkg'].every((file) => existsSync(file))) return undefined;
  const { product } = wanted;
  const release = await waitForLock(`${home}.lock`, {
    signal,
    onWait: ({ pid }) => notice(`waiting for process ${pid}, which unpacks ${product} here`),
  });
  try {
    const kept = findIn(wanted, home, home);
    if (kept) return kept;
    const { found } = await step(`unpack the distribution's ${product} package`, async () => {
      const found = await unpack(wanted, home, signal);
      const text = found ? `${found.label} unpacked` : `no ${product} package to be had here`;
      return { found, text };
    });
    return found;
  } finally {
    release();
  }
}

async function unpack<T extends { label: string }>(
  wanted: Wanted<T>,
  home: string,
  signal: AbortSignal,
): Promise<Unpacked<T> | undefined> {
  const draft = `${home}.new`;
  const apt = async (args: string[]) => (await run('apt-get', args, { signal })).code === 0;
  try {
    for (const areFresh of [false, true]) {
      rmSync(draft, { recursive: true, force: true });
      for (const part of ['root', 'apt/archives/partial', 'lists/partial']) {
        mkdirSync(path.join(draft, part), { recursive: true });
      }
      const options = aptOptions(draft, areFresh);
      if (areFresh && !(await apt([...options, 'update']))) return undefined;
      for (const name of wanted.packages) {
        // With the libraries that this system lacks.
        const install = ['install', '--yes', '--download-only', '--no-install-recommends', name];
        if (!(await apt([...options, ...install]))) continue;
        await unpackAll(draft, signal);
        const found = findIn(wanted, draft, home);
        if (!found) continue;
        for (const part of ['lists', 'apt']) rmSync(path.join(draft, part), { recursive: true });
        rmSync(home, { recursive: true, force: true });
        renameSync(draft, home);
        return found;
      }
    }
    return undefined;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A private cache, and private lists: needs no root and leaves the system's own as they are. */
function aptOptions(draft: string, areFresh: boolean): string[] {
  return [
    `Dir::Cache=${draft}/apt`,
    ...(areFresh ? [`Dir::State::lists=${draft}/lists`] : []),
    // Nothing is installed, so the system's lock is not needed; only root could take it.
    'Debug::NoLocking=1',
    'APT::Sandbox::User=root',
    'Acquire::Languages=none',
    'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false',
    'Acquire::Retries=1',
    'Acquire::http::Timeout=10',
    'Acquire::https::Timeout=10',
  ].flatMap((option) => ['-o', option]);
}

async function unpackAll(draft: string, signal: AbortSignal): Promise<void> {
  const archives = path.join(draft, 'apt/archives');
  // A C library of its own would not fit the system's loader.
  const files = readdirSync(archives).filter((name) => /^(?!libc6_).*\.deb$/.test(name));
  for (const file of files) {
    await run('dpkg', ['-x', path.join(archives, file), path.join(draft, 'root')], { signal });
  }
}

/** The program unpacked in `folder`, if it runs, as it will be called from `home`. */
function findIn<T extends { label: string }>(
  { programs, probe }: Wanted<T>,
  folder: string,
  home: string,
): Unpacked<T> | undefined {
  const root = path.join(folder, 'root');
  const program = programs.find((name) => existsSync(path.join(root, 'usr/bin', name)));
  if (!program) return undefined;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const libraries = files
    .filter((name) => /\.so(\.|$)/.test(name))
    .map(path.dirname)
    .sort();
  const callFrom = (place: string): Call => {
    const folders = [...new Set(libraries)].map((each) => path.join(place, 'root', each));
    return { command: path.join(place, 'root/usr/bin', program), libraries: folders.join(':') };
  };
  const found = probe(callFrom(folder));
  return found && { ...found, ...callFrom(home) };
}
