import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFreshFolder } from '../agent-folders/fresh-folder';
import type { RepositoryFolder } from './mirrors/repository-folder';

export interface Controls {
  folder: string;
  home: string;
  mirror: string;
  agent: string;
}

/**
 * Runs `work` with git directories that borrow objects and references from the mirror and the
 * agent's repository. git must not read an agent's configuration, hooks or attributes, because
 * these can run programs or contact other hosts. The caller must hold the mirror's lock.
 */
export async function withControls<T>(
  { mirror, worktreeData, controls }: RepositoryFolder,
  work: (controls: Controls) => Promise<T>,
): Promise<T> {
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

export function withEmptyControls<T>(
  root: string,
  work: (controls: Pick<Controls, 'home' | 'mirror'>) => Promise<T>,
): Promise<T> {
  return inFreshFolder(root, async (folder) => {
    const home = join(folder, 'home');
    const mirror = join(folder, 'mirror');
    await mkdir(home, { mode: 0o700 });
    for (const name of ['objects', 'refs']) {
      await mkdir(join(mirror, name), { recursive: true, mode: 0o700 });
    }
    await describeControl(mirror);
    return work({ home, mirror });
  });
}

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

const DATA = ['objects', 'refs', 'packed-refs', 'shallow'];

async function borrow(control: string, from: string): Promise<void> {
  await mkdir(control, { mode: 0o700 });
  await describeControl(control);
  for (const name of DATA) await symlink(join(from, name), join(control, name));
}

async function describeControl(control: string): Promise<void> {
  const write = (name: string, text: string) =>
    writeFile(join(control, name), text, { flag: 'wx', mode: 0o600 });
  await write('config', CONFIG);
  await write('HEAD', 'ref: refs/heads/main\n');
}
