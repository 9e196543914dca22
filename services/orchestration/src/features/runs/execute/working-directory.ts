import { secretsOf } from '@switchyard/runner/repositories/access/reach-repository';
import type { Context } from '../../../kernel/context';
import type { ClaimedRun } from '../../../state/runs/claims/claimed-run';
import { resolveSecrets } from '../../secrets/resolve-secrets';
import { cannotStart } from './cannot-start';

interface WorkspacePlace {
  projectId: string;
  cwd: string | null;
  repoUrl: string | null;
  repoRef: string | null;
  repoSecretId: string | null;
  repoSecretVersion: number | null;
}

export interface OpenedRepository {
  workspace: WorkspacePlace | null;
  credential: string | null;
  secrets: string[];
}

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
