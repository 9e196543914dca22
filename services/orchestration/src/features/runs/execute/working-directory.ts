import { mkdir, rmdir } from 'node:fs/promises';
import { sep } from 'node:path';
import type { AgentSession } from '../../../adapters/agents/agent-adapter';
import { secretsOf } from '../../../adapters/repositories/access/reach-repository';
import { mayEnter } from '../../../adapters/repositories/allowed-folder';
import type { Preparation } from '../../../adapters/repositories/repository-cache';
import { type Config, runFolder } from '../../../config';
import type { Context } from '../../../context';
import type { ClaimedRun } from '../../../state/runs/claim-run';
import { resolveSecrets } from '../../secrets/resolve-secrets';
import { CannotStart, cannotStart } from './cannot-start';

/** Where work on an issue is done: the primary workspace of its project (spec, "Project"). */
export interface WorkspacePlace {
  projectId: string;
  cwd: string | null;
  repoUrl: string | null;
  repoRef: string | null;
  repoSecretId: string | null;
  /** Null is the latest. */
  repoSecretVersion: number | null;
}

export interface OpenedRepository {
  workspace: WorkspacePlace | null;
  credential: string | null;
  /** The values of the credential that no output may show. */
  secrets: string[];
}

export interface WorkingDirectory {
  path: string;
  /** What lies elsewhere and is read from there. */
  readOnly: string[];
  /** Removes the run's own folder when nothing was left in it. */
  tidy(): Promise<void>;
}

/**
 * The workspace of a run and what opens its repository; none of it for null.
 * @throws CannotStart when the credential is unavailable
 */
export async function openRepository(
  { secretBox, db }: Pick<Context, 'secretBox' | 'db'>,
  run: Pick<ClaimedRun, 'companyId' | 'workspace'> | null,
): Promise<OpenedRepository> {
  const workspace: WorkspacePlace | null = run?.workspace ?? null;
  const closed = { workspace, credential: null, secrets: [] };
  if (!run || !workspace?.repoSecretId || workspace.cwd) return closed;
  const { repoSecretId: secretId, repoSecretVersion } = workspace;
  const version = repoSecretVersion ?? ('latest' as const);
  const repoCredential = { type: 'secret_ref' as const, secretId, version };
  const found = await resolveSecrets(secretBox, db, run.companyId, { repoCredential });
  if ('unavailable' in found) {
    const text = 'the credential of the repository cannot be decrypted';
    throw cannotStart('secret_unavailable', text);
  }
  const credential = found.values.repoCredential as string;
  return { workspace, credential, secrets: secretsOf(credential) };
}

/**
 * The project's primary workspace (its directory, else its repository), else the adapter's `cwd`, else a folder of the
 * run, which is the first run's for runs that go on with one conversation. Named directories outside WORKSPACE_ROOTS are
 * refused here too, since the operator may have drawn them narrower meanwhile.
 * @throws CannotStart when there is none
 */
export async function workingDirectory(
  { config, repositories }: Pick<Context, 'config' | 'repositories'>,
  run: Pick<ClaimedRun, 'id' | 'companyId' | 'agentId' | 'agentName'>,
  place: {
    config: Record<string, unknown>;
    repository: OpenedRepository;
    session: AgentSession | null;
  },
  preparation: Preparation,
): Promise<WorkingDirectory> {
  const { companyId, agentId, agentName } = run;
  const { workspace, credential } = place.repository;
  if (workspace?.repoUrl && !workspace.cwd) {
    const { projectId, repoUrl: url, repoRef: ref } = workspace;
    const agent = { id: agentId, name: agentName };
    const request = { companyId, projectId, agent, url, ref, credential };
    const prepared = await repositories.prepare(request, preparation);
    if ('refusal' in prepared) throw new CannotStart(prepared.refusal);
    return kept(prepared.path, prepared.readOnly);
  }
  const named = workspace?.cwd ?? (place.config.cwd as string | undefined);
  const { workspaceRoots } = config.repositories;
  if (named && !(await mayEnter(workspaceRoots, companyId, named))) {
    const text = 'the working directory is outside what WORKSPACE_ROOTS opens to the company';
    throw cannotStart('cwd_not_allowed', text);
  }
  if (named) return kept(named);
  const path = sessionFolder(config, place.session) ?? runFolder(config, run.id);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, readOnly: [], tidy: () => rmdir(path).catch(() => undefined) };
}

const kept = (path: string, readOnly: string[] = []): WorkingDirectory => ({
  path,
  readOnly,
  tidy: async () => undefined,
});

/** The folder of an earlier run, when the conversation began in one; a run that goes on with it works there too. */
function sessionFolder(config: Config, session: AgentSession | null): string | null {
  const runs = runFolder(config, '');
  const root = runs.endsWith(sep) ? runs : `${runs}${sep}`;
  return session?.directory.startsWith(root) ? session.directory : null;
}
