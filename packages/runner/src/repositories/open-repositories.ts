import { join } from 'node:path';
import type { RunnerProgramSettings } from '../runner-settings';
import type { Confinements } from '../sandbox/confinement';
import { createHostLock } from './host-lock';
import { createRepositoryCache, type RepositoryCache } from './repository-cache';

type Settings = Pick<
  RunnerProgramSettings,
  'dataDir' | 'inherited' | 'isAuthenticated' | 'repositories'
>;

export function openRepositories(
  { dataDir, inherited, isAuthenticated, repositories }: Settings,
  confinements: Confinements,
): RepositoryCache {
  return createRepositoryCache({
    root: join(dataDir, 'repositories'),
    settings: repositories,
    rules: { allowLoopback: !isAuthenticated, allowedHosts: repositories.allowedHosts },
    ssh: {
      usesWorkerKeys: !isAuthenticated,
      knownHostsFile: repositories.sshKnownHostsFile,
      knownHostsFolder: join(dataDir, 'known-hosts'),
    },
    inherited,
    isolated: isAuthenticated,
    exclusive: createHostLock(join(dataDir, 'runner', 'locks')),
    confinements,
  });
}
