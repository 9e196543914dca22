import { failure } from '../repository-failure';
import { type GitSurroundings, runGit } from './run-git';

/** The first that takes settings and their absence by variables, on which every protection here rests. */
const OLDEST_GIT = [2, 32] as const;

export function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1]);
}

/** @throws RepositoryFailure `git_missing`, and `git_too_old` where a repository's own settings would win */
export async function readGitVersion(
  surroundings: GitSurroundings,
  folder: string,
): Promise<string> {
  const said = await runGit(surroundings, 'asking git for its version', folder, ['--version']);
  const version = /\d+(?:\.\d+)+/.exec(said)?.[0] ?? '0.0';
  if (isRecent(version)) return version;
  throw failure('git_too_old', `git ${version} is too old: ${OLDEST_GIT.join('.')} is needed`);
}
