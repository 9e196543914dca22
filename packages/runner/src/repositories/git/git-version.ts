import { failure } from '../repository-failure';
import { type GitSurroundings, runGit } from './run-git';

/** The first version that accepts settings in variables. All protections require this. */
const OLDEST_GIT = [2, 32] as const;

export function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1]);
}

export async function readGitVersion(
  surroundings: GitSurroundings,
  folder: string,
): Promise<string> {
  const said = await runGit(surroundings, 'reading git’s version', folder, ['--version']);
  const version = /\d+(?:\.\d+)+/.exec(said)?.[0] ?? '0.0';
  if (isRecent(version)) return version;
  throw failure(
    'git_too_old',
    `git ${version} is too old: ${OLDEST_GIT.join('.')} or later is required`,
  );
}
