import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { waitForLock } from '@switchyard/bootstrap/lock';
import { notice, step } from '@switchyard/bootstrap/terminal';
import { run } from '../process/run.js';
import { type Redis, versionOf } from './installed.js';

const SERVERS = ['redis-server', 'valkey-server'];

/** The distribution's own package, unpacked below the project: with the lists at hand, else fresh ones. */
export async function fromPackage(home: string, signal: AbortSignal): Promise<Redis | undefined> {
  if (!['/usr/bin/apt-get', '/usr/bin/dpkg'].every((file) => existsSync(file))) return undefined;
  const release = await waitForLock(`${home}.lock`, {
    signal,
    onWait: ({ pid }) => notice(`waiting for process ${pid}, which unpacks Redis here`),
  });
  try {
    const kept = probe(home, home);
    if (kept) return kept;
    const { found } = await step("unpack the distribution's Redis package", async () => {
      const found = await unpack(home, signal);
      return { found, text: found ? `${found.label} unpacked` : 'no Redis package to be had here' };
    });
    return found;
  } finally {
    release();
  }
}

async function unpack(home: string, signal: AbortSignal): Promise<Redis | undefined> {
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
      for (const server of SERVERS) {
        // With the libraries that this system lacks.
        const install = ['install', '--yes', '--download-only', '--no-install-recommends', server];
        if (!(await apt([...options, ...install]))) continue;
        await unpackAll(draft, signal);
        const found = probe(draft, home);
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

/** The server unpacked in `folder`, if it runs, as it will be called from `home`. */
function probe(folder: string, home: string): Redis | undefined {
  const root = path.join(folder, 'root');
  const server = SERVERS.find((name) => existsSync(path.join(root, 'usr/bin', name)));
  if (!server) return undefined;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const libraries = files
    .filter((name) => /\.so(\.|$)/.test(name))
    .map(path.dirname)
    .sort();
  const callFrom = (place: string) => {
    const folders = [...new Set(libraries)].map((each) => path.join(place, 'root', each));
    const searched = [...folders, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
    const command = path.join(place, 'root/usr/bin', server);
    return { command, env: { LD_LIBRARY_PATH: searched } };
  };
  const { command, env } = callFrom(folder);
  const version = versionOf(command, { ...process.env, ...env });
  return (
    version && { ...callFrom(home), label: `${version.label} from the distribution's package` }
  );
}
