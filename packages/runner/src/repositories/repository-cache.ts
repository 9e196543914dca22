import { hostname } from 'node:os';
import { join } from 'node:path';
import { isPassingFault } from '@switchyard/server/passing-fault';
import { isRepositoryRef } from '@switchyard/types';
import type { AdapterOutcome, AdapterRun } from '../agents/agent-adapter';
import type { Environment } from '../agents/environment/child-environment';
import { type ConnectRules, rulesFor } from '../network/guarded-connector';
import type { Confinements } from '../sandbox/confinement';
import {
  type RepositoryConnection,
  reachRepository,
  type SshOptions,
} from './access/reach-repository';
import { withControls, withEmptyControls } from './control-folder';
import { reading } from './git/git-access';
import { readGitVersion } from './git/git-version';
import type { GitSurroundings } from './git/run-git';
import type { Exclusive } from './host-lock';
import type { Author } from './mirrors/agent-repository';
import { openMirror } from './mirrors/open-mirror';
import { type Placement, placeWorktree } from './mirrors/place-worktree';
import { type RemoteRef, resolveRemoteRef } from './mirrors/read-remote';
import { repositoryFolder } from './mirrors/repository-folder';
import { type MirroredCommit, updateMirror } from './mirrors/update-mirror';
import { failure, RepositoryFailure } from './repository-failure';
import type { RepositorySettings } from './repository-settings';

export interface RepositoryRequest {
  companyId: string;
  projectId: string;
  agent: Author;
  url: string;
  ref: string | null;
  credential: string | null;
}

export interface Preparation {
  signal: AbortSignal;
  onStarted: AdapterRun<unknown>['onStarted'];
  logLine(line: string): void;
}

interface Prepared {
  path: string;
  readOnly: string[];
}

type PreparedRepository = Prepared | { refusal: AdapterOutcome };

export interface RepositoryCache {
  prepare(request: RepositoryRequest, preparation: Preparation): Promise<PreparedRepository>;
  check(
    request: Omit<RepositoryRequest, 'projectId' | 'agent'>,
    limits: { signal: AbortSignal; timeoutMs: number },
  ): Promise<{ ref: RemoteRef } | { refusal: AdapterOutcome }>;
}

export interface RepositoryOptions {
  root: string;
  settings: Pick<RepositorySettings, 'caFile' | 'depth' | 'timeoutMs' | 'maxBytes'>;
  rules: ConnectRules;
  ssh: SshOptions;
  inherited: Environment;
  /**
   * True in authenticated mode: the operator's HOME must not give access to a company's repository.
   */
  isolated: boolean;
  exclusive: Exclusive;
  confinements: Confinements;
}

function describe({ commit, name, wasCached }: MirroredCommit, placement: Placement): string {
  const short = commit.slice(0, 12);
  const source = wasCached ? 'from the cache' : 'fetched';
  const text = `[workspace] ${name} is ${short}, ${source}`;
  if (placement.kind === 'untouched')
    return `${text}; the working directory was not changed: ${placement.why}\n`;
  const said = { created: 'was created', current: 'is up to date', moved: 'was moved to it' }[
    placement.kind
  ];
  return `${text}; the working directory ${said}\n`;
}

function outcomeOf(error: unknown, signal: AbortSignal): AdapterOutcome {
  if (signal.aborted) return { status: 'aborted', exitCode: null };
  const ended = error instanceof RepositoryFailure ? error.outcome : null;
  if (ended && ended.status !== 'aborted') return ended;
  const isAbort = ended !== null || (error as { name?: unknown }).name === 'AbortError';
  if (!isAbort && !isPassingFault(error)) throw error;
  return failure('repository_lock_lost', 'the lock of the repository cache was lost', true).outcome;
}

const SIGN_INS = ['.ssh', '.netrc'];

/**
 * Clones repositories: one mirror per project and URL, shared by agents, and one worktree per
 * agent. Only one process per host works on a mirror at a time.
 */
export function createRepositoryCache(options: RepositoryOptions): RepositoryCache {
  const { root, settings, rules, ssh, inherited, isolated, exclusive, confinements } = options;
  /** Caches only success, because an operator may install git while the worker runs. */
  let isGitGood = false;

  const reach = ({ ref, ...request }: Omit<RepositoryRequest, 'projectId' | 'agent'>) => {
    if (ref !== null && !isRepositoryRef(ref)) {
      throw failure(
        'repository_ref_unknown',
        'the reference must be a valid name of a branch, a tag or a commit',
      );
    }
    return reachRepository(request, rulesFor(rules, request.companyId), ssh);
  };

  const openGit = async (
    { sshCommand, destination }: RepositoryConnection,
    empty: string,
    limits: Pick<GitSurroundings, 'signal' | 'deadline' | 'onStarted'>,
  ): Promise<GitSurroundings> => {
    const { caFile } = settings;
    const home = isolated ? empty : null;
    const access = reading(...signInsOf(caFile, home));
    const base = { inherited, caFile, sshCommand, destination, confinements };
    const git = { ...base, ...limits, home, access };
    if (!isGitGood) isGitGood = (await readGitVersion(git, empty)) !== '';
    return git;
  };

  const work = async (request: RepositoryRequest, preparation: Preparation): Promise<Prepared> => {
    const connection = await reach(request);
    const { url, config, access } = connection;
    const { projectId, agent, ref } = request;
    const folder = repositoryFolder(root, { projectId, agentId: agent.id, url });
    const key = `${hostname()} ${folder.mirror}`;
    return exclusive(key, preparation.signal, async (signal) => {
      const { depth, maxBytes } = settings;
      await openMirror(root, folder);
      return withControls(folder, async (controls) => {
        const deadline = performance.now() + settings.timeoutMs;
        const { onStarted } = preparation;
        const git = await openGit(connection, controls.home, { signal, deadline, onStarted });
        const { mirror } = folder;
        const control = controls.mirror;
        const wanted = { mirror, control, url, ref, config, ssh: access, depth, maxBytes };
        const mirrored = await updateMirror(git, wanted);
        const origin = { url, author: agent };
        const placement = await placeWorktree(git, folder, controls, mirrored, origin);
        preparation.logLine(describe(mirrored, placement));
        return { path: folder.worktree, readOnly: [join(mirror, 'objects')] };
      });
    });
  };

  const signInsOf = (caFile: string | null, home: string | null) => [
    ...(caFile === null ? [] : [caFile]),
    ...(home === null && inherited.HOME
      ? SIGN_INS.map((name) => join(inherited.HOME as string, name))
      : []),
  ];

  return {
    prepare: async (request, preparation) => {
      try {
        return await work(request, preparation);
      } catch (error) {
        return { refusal: outcomeOf(error, preparation.signal) };
      }
    },
    check: async (request, { signal, timeoutMs }) => {
      try {
        const connection = await reach(request);
        const deadline = performance.now() + Math.min(timeoutMs, settings.timeoutMs);
        const onStarted = async () => undefined;
        const ref = await withEmptyControls(join(root, 'looks'), async ({ home, mirror }) =>
          resolveRemoteRef(await openGit(connection, home, { signal, deadline, onStarted }), {
            ...connection,
            control: mirror,
            ssh: connection.access,
            ref: request.ref,
          }),
        );
        return { ref };
      } catch (error) {
        return { refusal: outcomeOf(error, signal) };
      }
    },
  };
}
