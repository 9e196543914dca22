import { join } from 'node:path';
import type { RepositoryCache } from '../adapters/repositories/repository-cache';
import type { Confinements } from '../adapters/sandbox/confinement';
import type { RunnerProgramSettings } from './runner-settings';

type Settings = Pick<
  RunnerProgramSettings,
  'dataDir' | 'inherited' | 'isAuthenticated' | 'repositories'
>;

/** The cache of repositories, loaded with the first run that needs one: what it imports is a third of an idle runner. */
export function openRepositories(settings: Settings, confinements: Confinements): RepositoryCache {
  let opened: RepositoryCache | null = null;
  return {
    prepare: async (request, preparation) => {
      opened ??= load(settings, confinements);
      return opened.prepare(request, preparation);
    },
  };
}

function load(
  { dataDir, inherited, isAuthenticated, repositories }: Settings,
  confinements: Confinements,
): RepositoryCache {
  const { createRepositoryCache } =
    require('../adapters/repositories/repository-cache') as typeof import('../adapters/repositories/repository-cache');
  const { createHostLock } =
    require('../adapters/repositories/host-lock') as typeof import('../adapters/repositories/host-lock');
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
