import { join } from 'node:path';
import type { Finding } from '@switchyard/types';
import { inFreshFolder } from '../../agent-folders/fresh-folder';
import type { Surroundings } from '../../agents/environment/child-environment';
import type { Confinements } from '../../sandbox/confinement';
import { RepositoryFailure } from '../repository-failure';
import { reading } from './git-access';
import { readGitVersion } from './git-version';

const TIMEOUT_MS = 5_000;

export async function probeGit(
  config: { dataDir: string; inherited: Surroundings['inherited'] },
  signal: AbortSignal,
  confinements: Confinements,
): Promise<Finding[]> {
  const surroundings = {
    inherited: config.inherited,
    home: null,
    caFile: null,
    signal,
    deadline: performance.now() + TIMEOUT_MS,
    onStarted: async () => undefined,
    access: reading(),
    confinements,
  };
  try {
    const version = await inFreshFolder(join(config.dataDir, 'discovery'), (folder) =>
      readGitVersion({ ...surroundings, home: folder }, folder),
    );
    return [{ level: 'ok', code: 'git_found', message: `git ${version}`, details: { version } }];
  } catch (error) {
    if (!(error instanceof RepositoryFailure)) throw error;
    const code = 'errorCode' in error.outcome ? error.outcome.errorCode : 'git_unusable';
    const message = `${error.message}; repositories of workspaces cannot be cloned`;
    return [{ level: 'warning', code, message }];
  }
}
