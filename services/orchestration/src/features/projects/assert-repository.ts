import { isId, type Tx } from '@switchyard/db';
import { forbidden, semantic } from '@switchyard/server';
import type { UpdateWorkspaceBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { mayName } from '../../adapters/repositories/allowed-folder';

/** Where a directory may lie; `any` in local trusted mode without a list. */
export type WorkspaceRoots = string[] | 'any';

interface Before {
  repoUrl: string | null;
  repoSecretId: string | null;
}

/**
 * git sends the credential to whatever host the address names, so an agent that could write either beside the
 * other would read a secret that is the board's (contract, "Behaviour" 4).
 */
function assertMayPoint({ actor }: Scope, before: Before | null, body: UpdateWorkspaceBody): void {
  if (actor.type !== 'agent') return;
  if (body.repoCredential !== undefined) {
    const details = { field: 'repoCredential' };
    throw forbidden(
      'board_only',
      'only the board may say which secret opens a repository',
      details,
    );
  }
  const isMoved = body.repoUrl !== undefined && body.repoUrl !== before?.repoUrl;
  if (before?.repoSecretId && isMoved) {
    const text = 'only the board may change the repoUrl of a workspace that has a repoCredential';
    throw forbidden('board_only', text, { field: 'repoUrl' });
  }
}

async function assertSecret(
  tx: Tx,
  companyId: string,
  { secretId, version }: NonNullable<UpdateWorkspaceBody['repoCredential']>,
): Promise<void> {
  const details = { field: 'repoCredential' };
  const secret = isId(secretId) ? await tx.secret.findUnique({ where: { id: secretId } }) : null;
  if (!secret) throw semantic('unknown_reference', 'repoCredential does not exist', details);
  if (secret.companyId !== companyId) {
    throw forbidden('cross_company', 'repoCredential belongs to another company', details);
  }
  if (version !== 'latest' && version > secret.latestVersion) {
    const text = 'repoCredential names a version of its secret that does not exist';
    throw semantic('unknown_reference', text, details);
  }
}

/**
 * What a workspace may say about its directory and its repository beyond their form.
 * @throws Refusal 403 `board_only`, `cross_company`; 422 for a directory outside WORKSPACE_ROOTS, a secret that
 * cannot be named, or a credential without an https address
 */
export async function assertRepository(
  tx: Tx,
  scope: Scope,
  roots: WorkspaceRoots,
  before: Before | null,
  body: UpdateWorkspaceBody,
): Promise<void> {
  assertMayPoint(scope, before, body);
  if (body.cwd && !mayName(roots, body.cwd)) {
    const text =
      'cwd must lie in one of the directories that the operator lists in WORKSPACE_ROOTS';
    throw semantic('semantic_error', text, { field: 'cwd' });
  }
  if (body.repoCredential) await assertSecret(tx, scope.companyId, body.repoCredential);
  const repoUrl = body.repoUrl === undefined ? (before?.repoUrl ?? null) : body.repoUrl;
  const hasCredential =
    body.repoCredential === undefined ? before?.repoSecretId : body.repoCredential;
  if (hasCredential && !repoUrl?.startsWith('https://')) {
    const field = body.repoCredential ? 'repoCredential' : 'repoUrl';
    const text = 'a repoCredential goes with an https repoUrl; ssh uses the keys of the worker';
    throw semantic('semantic_error', text, { field });
  }
}
