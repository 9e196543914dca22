import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inFreshFolder } from '../fresh-folder';

/** All that git is told of a repository by a file; the rest comes by variables. */
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

/** What of the mirror is data and no setting. */
const DATA = ['objects', 'refs', 'packed-refs', 'shallow'];

/**
 * Works with a git directory of ours that borrows the mirror's objects and references. Agents write the mirror's own
 * configuration, hooks and attributes, and those of their worktrees, so git reads none of them on our behalf: a filter,
 * an included file or a promised remote is a program or an address of the agent's. The caller holds the mirror's lock.
 */
export async function withControl<T>(
  { mirror, controls }: { mirror: string; controls: string },
  work: (control: string) => Promise<T>,
): Promise<T> {
  // What a worker left that was killed.
  await rm(controls, { recursive: true, force: true });
  return inFreshFolder(controls, async (control) => {
    const write = (name: string, text: string) =>
      writeFile(join(control, name), text, { flag: 'wx', mode: 0o600 });
    await write('config', CONFIG);
    await write('HEAD', 'ref: refs/heads/main\n');
    for (const name of DATA) await symlink(join(mirror, name), join(control, name));
    return work(control);
  });
}
