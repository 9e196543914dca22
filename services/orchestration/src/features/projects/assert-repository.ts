import type { Transaction } from '@switchyard/db';
import { isAllowedPath } from '@switchyard/runner/repositories/allowed-folder';
import { unprocessable } from '@switchyard/server';
import type { UpdateWorkspaceBody } from '@switchyard/types';
import { assertMayPlaceWorkspace, type PlacedWorkspace } from '../../access/rules';
import type { Tx } from '../../kernel/call';
import { assertReferenced, shareSecrets } from '../../state/references';

/**
 * Checks a workspace's directory and repository beyond their schema.
 * @throws ApiError 403 `board_only`, `cross_company`; 422 for a directory outside the company's
 * WORKSPACE_ROOTS, a secret that the caller may not name, a credential without a repository URL, or
 * ssh without a credential in authenticated mode
 */
export async function assertRepository(
  tx: Tx,
  before: PlacedWorkspace | null,
  body: UpdateWorkspaceBody,
): Promise<void> {
  const { companyId, context } = tx;
  const { authMode, repositories } = context.config;
  assertMayPlaceWorkspace(tx, before, body);
  if (body.cwd && !isAllowedPath(repositories.workspaceRoots, companyId, body.cwd)) {
    const text =
      'cwd must be an absolute path in a directory that WORKSPACE_ROOTS allows for the company';
    throw unprocessable('semantic_error', text, { field: 'cwd' });
  }
  if (body.repoCredential) await assertSecret(tx, companyId, body.repoCredential);
  assertOpens(authMode, before, body);
}

async function assertSecret(
  tx: Transaction,
  companyId: string,
  { secretId, version }: NonNullable<UpdateWorkspaceBody['repoCredential']>,
): Promise<void> {
  const [secret] = await shareSecrets(tx, [secretId]);
  assertReferenced(secret, companyId, 'repoCredential');
  if (version !== 'latest' && version > secret.latestVersion) {
    const text = 'repoCredential: the secret does not have this version';
    throw unprocessable('unknown_reference', text, { field: 'repoCredential' });
  }
}

function assertOpens(
  authMode: Tx['context']['config']['authMode'],
  before: PlacedWorkspace | null,
  body: UpdateWorkspaceBody,
): void {
  const { cwd, repoUrl, repoCredential } = body;
  const url = repoUrl === undefined ? (before?.repoUrl ?? null) : repoUrl;
  const credential = repoCredential === undefined ? before?.repoSecretId : repoCredential;
  if (credential && url === null) {
    const field = repoCredential ? 'repoCredential' : 'repoUrl';
    throw unprocessable('semantic_error', 'repoCredential requires a repoUrl', { field });
  }
  const isCloned = url !== null && (cwd === undefined ? (before?.cwd ?? null) : cwd) === null;
  const isWritten = [cwd, repoUrl, repoCredential].some((value) => value !== undefined);
  if (authMode !== 'authenticated' || !isCloned || !isWritten || credential) return;
  if (url.startsWith('https://')) return;
  const text =
    'an ssh repoUrl requires a repoCredential: a secret of the company that contains the private key';
  throw unprocessable('semantic_error', text, { field: 'repoCredential' });
}
