import { access, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RemoteRef, readRemote } from './read-remote';
import { failure } from './repository-failure';
import { askGit, type GitConfig, type GitSurroundings, runGit } from './run-git';
import { type SshAccess, withSshAccess } from './ssh-access';
import { watchSize } from './watch-size';

export interface MirrorRequest {
  mirror: string;
  url: string;
  ref: string | null;
  /** Pinned addresses and credential: for the commands that talk to the host alone. */
  config: GitConfig;
  ssh: SshAccess | null;
  depth: number;
  maxBytes: number;
}

export interface MirroredCommit {
  commit: string;
  name: string;
  wasCached: boolean;
}

const quoted = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Agents share this file through their worktrees, so it is written anew before it is trusted with a credential. */
async function writeConfig(mirror: string, url: string): Promise<void> {
  const lines = [
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true',
    '[extensions]\n\tworktreeConfig = true',
    '[gc]\n\tauto = 0',
    '[maintenance]\n\tauto = false',
    `[remote "origin"]\n\turl = ${quoted(url)}\n\tfetch = +refs/heads/*:refs/remotes/origin/*`,
  ];
  await writeFile(join(mirror, 'config'), `${lines.join('\n')}\n`);
  await writeFile(join(mirror, 'config.worktree'), '[core]\n\tbare = true\n');
}

async function openMirror(surroundings: GitSurroundings, mirror: string, url: string) {
  // What `writeConfig` writes last; of an `init` that was killed there is only a part.
  const isMade = await access(join(mirror, 'config.worktree')).then(
    () => true,
    () => false,
  );
  const args = ['init', '--quiet', '--bare', '--template=', '--initial-branch=main', '--', mirror];
  if (!isMade) await runGit(surroundings, 'making the cache', mirror, args);
  await writeConfig(mirror, url);
}

/** A fetch that was killed leaves locks that only fetches take, and packs that nobody finishes. */
async function removeLeftovers(mirror: string, local: string): Promise<void> {
  const packs = join(mirror, 'objects', 'pack');
  const unfinished = (await readdir(packs)).filter((name) => name.startsWith('tmp_'));
  const locks = ['shallow.lock', `${local}.lock`].map((name) => join(mirror, name));
  for (const path of [...locks, ...unfinished.map((name) => join(packs, name))]) {
    await rm(path, { force: true });
  }
}

/**
 * A branch cannot be kept beside one whose name it lies in (`a` and `a/b`); the other end has one of them, so the
 * other is gone there.
 */
async function removeConflicts(
  surroundings: GitSurroundings,
  mirror: string,
  local: string,
): Promise<void> {
  const place = ['--git-dir', mirror];
  const around = local.split('/').slice(0, 3).join('/');
  const list = [...place, 'for-each-ref', '--format=%(refname)', '--', around];
  const names = (await runGit(surroundings, 'reading the cache', mirror, list)).split('\n');
  for (const name of names) {
    if (!local.startsWith(`${name}/`) && !name.startsWith(`${local}/`)) continue;
    await runGit(surroundings, 'tidying the cache', mirror, [
      ...place,
      'update-ref',
      '-d',
      '--',
      name,
    ]);
  }
}

async function fetch(surroundings: GitSurroundings, request: MirrorRequest, remote: RemoteRef) {
  const { mirror, url, config, depth, maxBytes } = request;
  const size = watchSize(join(mirror, 'objects'), maxBytes);
  const signal = AbortSignal.any([surroundings.signal, size.exceeded]);
  const args = ['--git-dir', mirror, 'fetch', '--quiet', '--no-tags', '--no-recurse-submodules'];
  if (depth > 0) args.push(`--depth=${depth}`);
  args.push('--', url, `+${remote.source}:${remote.local}`);
  try {
    await runGit({ ...surroundings, signal }, 'fetching', mirror, args, config);
    await size.look();
  } catch (error) {
    if (!size.exceeded.aborted) throw error;
  } finally {
    size.close();
  }
  if (!size.exceeded.aborted) return;
  throw failure('repository_too_large', `the repository has more than ${maxBytes} bytes`);
}

/**
 * Brings the reference into the project's mirror, unless it is there as the other end has it now; the
 * caller holds the mirror's lock.
 * @throws RepositoryFailure
 */
export async function updateMirror(
  surroundings: GitSurroundings,
  request: MirrorRequest,
): Promise<MirroredCommit> {
  const { mirror, url, ref, config, ssh } = request;
  await openMirror(surroundings, mirror, url);
  const remote = await withSshAccess(surroundings, ssh, (reaching) =>
    readRemote(reaching, mirror, { url, ref, config }),
  );
  const parse = async () => {
    const args = ['--git-dir', mirror, 'rev-parse', '--quiet', '--end-of-options'];
    const revisions = [remote.local, `${remote.local}^{commit}`];
    const { exitCode, stdout } = await askGit(surroundings, mirror, [...args, ...revisions]);
    const [object, commit] = stdout.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line));
    return exitCode === 0 && object && commit ? { object, commit } : null;
  };
  let found = await parse();
  const wasCached = found !== null && found.object === (remote.object ?? remote.source);
  if (!wasCached) {
    await removeConflicts(surroundings, mirror, remote.local);
    await removeLeftovers(mirror, remote.local);
    await withSshAccess(surroundings, ssh, (reaching) => fetch(reaching, request, remote));
    found = await parse();
  }
  if (!found) {
    throw failure('repository_ref_unknown', `${remote.source} does not name a commit`);
  }
  const name = remote.source.replace(/^refs\/(heads|tags)\//, '');
  return { commit: found.commit, name, wasCached };
}
