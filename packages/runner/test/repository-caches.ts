import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createRepositoryCache,
  type Preparation,
  type RepositoryCache,
  type RepositoryOptions,
  type RepositoryRequest,
} from '../src/repositories/repository-cache';
import { CONFINEMENTS } from './confinements';
import { listLiving } from './living-processes';

interface Change extends Partial<RepositoryOptions> {
  caFile?: string | null;
  depth?: number;
}

/**
 * Opens a cache in `root` for one process. The cache may use loopback, this machine's git and its
 * strongest sandbox.
 */
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

export function useRepositories() {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'repositories-'));
  });
  afterEach(() => {
    expect(listLiving(root)).toEqual([]);
    rmSync(root, { recursive: true, force: true });
  });

  return {
    get root() {
      return root;
    },
    open: (change: Partial<RepositoryOptions> = {}, caFile: string | null = null) =>
      openCache(root, {
        caFile,
        ssh: { usesWorkerKeys: true, knownHostsFile: null, knownHostsFolder: join(root, 'known') },
        ...change,
      }),
  };
}

export function requestFor(
  url: string,
  change: Partial<RepositoryRequest> = {},
): RepositoryRequest {
  const agent = { id: randomUUID(), name: 'Ada' };
  const ids = { companyId: randomUUID(), projectId: randomUUID() };
  return { ...ids, agent, url, ref: null, credential: null, ...change };
}

export function preparation(
  said: string[] = [],
  signal: Preparation['signal'] = new AbortController().signal,
): Preparation {
  return { signal, onStarted: async () => undefined, logLine: (line) => said.push(line) };
}
