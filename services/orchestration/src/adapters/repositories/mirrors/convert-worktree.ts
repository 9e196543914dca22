import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Controls } from '../control-folder';
import { writing } from '../git/git-access';
import { askGit, askShell, type GitSurroundings, runGit } from '../git/run-git';
import { failure } from '../repository-failure';
import { initRepository, type Origin } from './agent-repository';
import type { RepositoryFolder } from './repository-folder';

/**
 * A worktree whose git directory lay in the mirror gets one of its own, with all that the agent has left: what it was at,
 * uncommitted changes, and the branches, tags and stashes of the mirror, which all agents shared. Begun anew where it
 * was cut off.
 * @throws RepositoryFailure
 */
export async function convertWorktree(
  surroundings: GitSurroundings,
  folder: RepositoryFolder,
  controls: Controls,
  origin: Origin,
): Promise<void> {
  const { mirror, worktree, formerData } = folder;
  const part = join(worktree, '.git.part');
  const own = { ...surroundings, access: writing([worktree], [mirror, controls.folder]) };
  const shell = async (script: string, args: string[]) => {
    const { exitCode, stderr } = await askShell(own, worktree, script, args);
    if (exitCode === 0) return;
    const text = `the working directory could not be brought to its new form (${stderr.slice(-200).trim()})`;
    throw failure('repository_failed', text);
  };
  await shell('rm -rf -- "$1"', [part]);
  await initRepository(surroundings, folder, controls, { at: part, origin });
  const refs = await sharedRefs(own, controls);
  const update = ['--git-dir', part, 'update-ref', '--no-deref', '--stdin'];
  await runGit(own, 'bringing branches along', worktree, update, [], refs);
  await shell(BRING, [formerData, part, mirror]);
  await shell(REPLACE, [worktree, part]);
  await rm(formerData, { recursive: true, force: true });
}

/** What of references leads to an object that is there, as lines for `git update-ref --stdin`. */
async function sharedRefs(own: GitSurroundings, { mirror }: Controls): Promise<string> {
  const format = '--format=%(objectname) %(refname)';
  const list = ['--git-dir', mirror, 'for-each-ref', format, '--', 'refs/'];
  const listed = await runGit(own, 'reading the cache', mirror, list);
  const check = ['--git-dir', mirror, 'cat-file', '--batch-check=%(objectname) %(rest)'];
  const { stdout } = await askGit(own, mirror, check, [], listed);
  return stdout
    .split('\n')
    .map((line) => /^([0-9a-f]{40,64}) (refs\/.*)$/.exec(line))
    .map((found) => (found ? `create ${found[2]} ${found[1]}\n` : ''))
    .join('');
}

/** $1: the former git directory, $2: the new one, $3: the mirror, with the history of shared branches and stashes. */
const BRING = `
if [ -d "$3/logs/refs" ]; then mkdir -p "$2/logs" && cp -RP -- "$3/logs/refs" "$2/logs/"; fi
rm -f -- "$2/HEAD"
cp -RP -- "$1/." "$2/" &&
{ [ ! -e "$2/config.worktree" ] || cat -- "$2/config.worktree" >> "$2/config"; } &&
{ [ ! -e "$3/shallow" ] || cp -- "$3/shallow" "$2/shallow"; } &&
rm -f -- "$2/gitdir" "$2/commondir" "$2/config.worktree" "$2/locked" "$2/index.lock" "$2/HEAD.lock"`;

/** $1: the worktree, $2: the new git directory. What an agent has made in the place of the old link stays beside it. */
const REPLACE = `
if [ -d "$1/.git" ] && [ ! -L "$1/.git" ]; then mv -- "$1/.git" "$1/.git.$$"; else rm -f -- "$1/.git"; fi &&
mv -- "$2" "$1/.git"`;
