import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFreshFolder } from '../fresh-folder';
import type { RepositoryFolder } from './mirrors/repository-folder';

export interface Controls {
  /** What lies here is for one preparation. */
  folder: string;
  /** A HOME with nothing in it. */
  home: string;
  mirror: string;
  agent: string;
}

/**
 * Works with git directories of ours that borrow the objects and references of the mirror and of the agent's repository.
 * An agent writes the configuration, hooks and attributes of its own, so git reads none of them on our behalf: a filter,
 * an included file or a promised remote is a program or an address of the agent's. The caller holds the mirror's lock.
 */
export async function withControls<T>(
  { mirror, worktreeData, controls }: RepositoryFolder,
  work: (controls: Controls) => Promise<T>,
): Promise<T> {
  // What a worker left that was killed.
  await rm(controls, { recursive: true, force: true });
  return inFreshFolder(controls, async (folder) => {
    const made = {
      folder,
      home: join(folder, 'home'),
      mirror: join(folder, 'mirror'),
      agent: join(folder, 'agent'),
    };
    await mkdir(made.home, { mode: 0o700 });
    await borrow(made.mirror, mirror);
    await borrow(made.agent, worktreeData);
    return work(made);
  });
}

/** All that git is told of a repository by a file; the rest comes by variables. */
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

/** What of a git directory is data and no setting. */
const DATA = ['objects', 'refs', 'packed-refs', 'shallow'];

async function borrow(control: string, from: string): Promise<void> {
  await mkdir(control, { mode: 0o700 });
  const write = (name: string, text: string) =>
    writeFile(join(control, name), text, { flag: 'wx', mode: 0o600 });
  await write('config', CONFIG);
  await write('HEAD', 'ref: refs/heads/main\n');
  for (const name of DATA) await symlink(join(from, name), join(control, name));
}
