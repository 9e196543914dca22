import { forbidden } from '@switchyard/server';
import type { UpdateWorkspaceBody } from '@switchyard/types';
import type { Call } from '../../call';
import type { Config } from '../../config';

/** What a workspace is before it is written; null for one that does not exist yet. */
export interface Before {
  cwd: string | null;
  repoUrl: string | null;
  repoSecretId: string | null;
}

const boardOnly = (field: string, text: string) => forbidden('board_only', text, { field });

/**
 * An agent names no directory of the host where people sign in, since a company's agents are not its operators.
 * Nor does it name the credential, or the address beside one: git shows a credential to whatever host the address
 * names, so who could write either beside the other would read a secret that is the board's.
 * @throws ApiError 403 `board_only`
 */
export function assertBoardFields(
  { actor }: Call,
  { authMode }: Pick<Config, 'authMode'>,
  before: Before | null,
  body: UpdateWorkspaceBody,
): void {
  if (actor.type !== 'agent') return;
  const isWritten = (field: 'cwd' | 'repoUrl') =>
    body[field] !== undefined && body[field] !== (before?.[field] ?? null);
  if (authMode === 'authenticated' && isWritten('cwd')) {
    throw boardOnly('cwd', 'only the board may say in which directory a workspace lies');
  }
  if (body.repoCredential !== undefined) {
    const text = 'only the board may say which secret opens a repository';
    throw boardOnly('repoCredential', text);
  }
  if (before?.repoSecretId && isWritten('repoUrl')) {
    const text = 'only the board may change the repoUrl of a workspace that has a repoCredential';
    throw boardOnly('repoUrl', text);
  }
}
