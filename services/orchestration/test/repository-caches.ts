import {
  createRepositoryCache,
  type RepositoryCache,
  type RepositoryOptions,
} from '../src/adapters/repositories/repository-cache';
import { CONFINEMENTS } from './confinements';

interface Change extends Partial<RepositoryOptions> {
  /** What signed the certificate of a server of `startGitServer`. */
  caFile?: string | null;
  depth?: number;
}

/** A cache in `root` that may reach loopback, with this machine's git and its strongest sandbox, for one process alone. */
export function openCache(root: string, change: Change = {}): RepositoryCache {
  const { caFile = null, depth = 100, ...others } = change;
  return createRepositoryCache({
    root,
    settings: { caFile, depth, timeoutMs: 60_000, maxBytes: 2 ** 30 },
    rules: { allowLoopback: true, allowedHosts: [] },
    ssh: { usesWorkerKeys: false, knownHostsFile: null, knownHostsFolder: root },
    inherited: { PATH: process.env.PATH, HOME: process.env.HOME },
    isolated: false,
    exclusive: (_key, signal, work) => work(signal),
    confinements: CONFINEMENTS,
    ...others,
  });
}
