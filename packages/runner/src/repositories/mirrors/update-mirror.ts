import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type SshAccess, withSshAccess } from '../access/ssh-access';
import { type GitAccess, overNetwork, reading, writing } from '../git/git-access';
import { execGit, type GitConfig, type GitSurroundings, runGit } from '../git/run-git';
import { failure } from '../repository-failure';
import { type RemoteRef, resolveRemoteRef } from './read-remote';
import { watchSize } from './watch-size';

export interface MirrorRequest {
  mirror: string;
  control: string;
  url: string;
  ref: string | null;
  config: GitConfig;
  ssh: SshAccess | null;
  depth: number;
  maxBytes: number;
}

export interface MirroredCommit {
  commit: string;
  ref: { name: string; object: string };
  name: string;
  wasCached: boolean;
}

async function removeLeftovers(mirror: string, local: string): Promise<void> {
  const packs = join(mirror, 'objects', 'pack');
  const unfinished = (await readdir(packs)).filter((name) => name.startsWith('tmp_'));
  const locks = ['shallow.lock', `${local}.lock`].map((name) => join(mirror, name));
  for (const path of [...locks, ...unfinished.map((name) => join(packs, name))]) {
    await rm(path, { force: true });
  }
}

/**
 * Removes branches that cannot exist at the same time as `local` (`a` and `a/b`), because the
 * remote no longer has them.
 */
async function removeConflicts(
  surroundings: GitSurroundings,
  control: string,
  local: string,
): Promise<void> {
  const place = ['--git-dir', control];
  const around = local.split('/').slice(0, 3).join('/');
  const list = [...place, 'for-each-ref', '--format=%(refname)', '--', around];
  const names = (await runGit(surroundings, 'reading the cache', control, list)).split('\n');
  for (const name of names) {
    if (!local.startsWith(`${name}/`) && !name.startsWith(`${local}/`)) continue;
    await runGit(surroundings, 'removing a branch from the cache', control, [
      ...place,
      'update-ref',
      '-d',
      '--',
      name,
    ]);
  }
}

async function fetch(surroundings: GitSurroundings, request: MirrorRequest, remote: RemoteRef) {
  const { mirror, control, url, config, depth, maxBytes } = request;
  const size = watchSize(join(mirror, 'objects'), maxBytes);
  const signal = AbortSignal.any([surroundings.signal, size.exceeded]);
  const args = ['--git-dir', control, 'fetch', '--quiet', '--no-tags', '--no-recurse-submodules'];
  if (depth > 0) args.push(`--depth=${depth}`);
  args.push('--', url, `+${remote.source}:${remote.local}`);
  try {
    await runGit({ ...surroundings, signal }, 'fetching', control, args, config);
    await size.check();
    // git removes its list of shallow commits when the list becomes empty. In the control folder
    // the list is a link to the mirror's list, so git removes only the link.
    await lstat(join(control, 'shallow')).catch(() => rm(join(mirror, 'shallow'), { force: true }));
  } catch (error) {
    if (!size.exceeded.aborted) throw error;
  } finally {
    size.close();
  }
  if (!size.exceeded.aborted) return;
  throw failure('repository_too_large', `the repository has more than ${maxBytes} bytes`);
}

export async function updateMirror(
  surroundings: GitSurroundings,
  request: MirrorRequest,
): Promise<MirroredCommit> {
  const { mirror, control, ssh } = request;
  const within = (access: GitAccess) => ({ ...surroundings, access });
  const own = surroundings.access.readOnly as string[];
  const remote = await resolveRemoteRef(surroundings, request);
  const parse = async () => {
    const args = ['--git-dir', control, 'rev-parse', '--quiet', '--end-of-options'];
    const revisions = [remote.local, `${remote.local}^{commit}`];
    const { exitCode, stdout } = await execGit(within(reading(mirror, control)), control, [
      ...args,
      ...revisions,
    ]);
    const [object, commit] = stdout.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line));
    return exitCode === 0 && object && commit ? { object, commit } : null;
  };
  let found = await parse();
  const wasCached = found !== null && found.object === (remote.object ?? remote.source);
  if (!wasCached) {
    const writer = writing([mirror, control], own);
    await removeConflicts(within(writer), control, remote.local);
    await removeLeftovers(mirror, remote.local);
    const fetching = within(overNetwork(writer));
    await withSshAccess(fetching, ssh, (reaching) => fetch(reaching, request, remote));
    found = await parse();
  }
  if (!found) {
    throw failure('repository_ref_unknown', `${remote.source} does not name a commit`);
  }
  const name = remote.source.replace(/^refs\/(heads|tags)\//, '');
  const storedRef = { name: remote.local, object: found.object };
  return { commit: found.commit, ref: storedRef, name, wasCached };
}
