import { mkdir, rmdir } from 'node:fs/promises';
import type { AdapterOutcome } from '../../../adapters/agents/agent-adapter';
import { mayEnter } from '../../../adapters/repositories/allowed-folder';
import { secretsOf } from '../../../adapters/repositories/reach-repository';
import type { Preparation } from '../../../adapters/repositories/repository-cache';
import { runFolder } from '../../../config';
import type { Context } from '../../../context';
import { resolveSecrets } from '../../secrets/resolve-secrets';
import type { WorkspacePlace } from './primary-workspace';

export interface WorkingDirectory {
  path: string;
  /** Removes the run's own folder when nothing was left in it. */
  tidy(): Promise<void>;
}

type Refused = { refusal: AdapterOutcome };

const refuse = (errorCode: string, error: string): Refused => ({
  refusal: { status: 'failed', exitCode: null, errorCode, error, transient: false },
});

const kept = (path: string): WorkingDirectory => ({ path, tidy: async () => undefined });

/** What opens the workspace's repository, and the values of it that no output may show (guarantee G22). */
export async function repositoryCredential(
  { secretBox, db }: Pick<Context, 'secretBox' | 'db'>,
  workspace: WorkspacePlace | null,
): Promise<{ credential: string | null; secrets: string[] } | Refused> {
  if (!workspace?.repoSecretId || workspace.cwd) return { credential: null, secrets: [] };
  const { companyId, repoSecretId: secretId, repoSecretVersion } = workspace;
  const version = repoSecretVersion ?? ('latest' as const);
  const reference = { type: 'secret_ref' as const, secretId, version };
  const found = await resolveSecrets(secretBox, db, companyId, { repoCredential: reference });
  if ('unavailable' in found) {
    return refuse('secret_unavailable', 'the credential of the repository cannot be decrypted');
  }
  const credential = found.values.repoCredential as string;
  return { credential, secrets: secretsOf(credential) };
}

/**
 * The project's primary workspace (its directory, else its repository), else the adapter's `cwd`, else a
 * folder of the run (contract 10), which is the first run's for runs that go on with one conversation. Named
 * directories outside WORKSPACE_ROOTS are refused here too, since the operator may have drawn them narrower
 * meanwhile (guarantee G24).
 */
export async function workingDirectory(
  context: Pick<Context, 'config' | 'repositories'>,
  run: { id: string; companyId: string; agent: { id: string; name: string } },
  adapterConfig: Record<string, unknown>,
  workspace: (WorkspacePlace & { credential: string | null }) | null,
  preparation: Preparation,
  sessionFolder: string | null,
): Promise<WorkingDirectory | Refused> {
  const { config, repositories } = context;
  if (workspace?.repoUrl && !workspace.cwd) {
    const { companyId, projectId, repoUrl: url, repoRef: ref, credential } = workspace;
    const request = { companyId, projectId, agent: run.agent, url, ref, credential };
    const prepared = await repositories.prepare(request, preparation);
    return 'refusal' in prepared ? prepared : kept(prepared.path);
  }
  const named = workspace?.cwd ?? (adapterConfig.cwd as string | undefined);
  const { workspaceRoots } = config.repositories;
  if (named && !(await mayEnter(workspaceRoots, run.companyId, named))) {
    const text = 'the working directory is outside what WORKSPACE_ROOTS opens to the company';
    return refuse('cwd_not_allowed', text);
  }
  if (named) return kept(named);
  const path = sessionFolder ?? runFolder(config, run.id);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return { path, tidy: () => rmdir(path).catch(() => undefined) };
}
