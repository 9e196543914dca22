import { ask, statement } from '@switchyard/db';
import { type ApiError, unprocessable } from '@switchyard/server';
import { LOCAL_BOARD_ID } from '@switchyard/types';
import { recordActivities } from '../../kernel/activity';
import type { Call, Tx } from '../../kernel/call';
import { isOpenSql } from '../statuses/issue-status';

export const memberOf = (userId: string | null): string | null =>
  userId === LOCAL_BOARD_ID ? null : userId;

export const notMember = (): ApiError =>
  unprocessable('unknown_reference', 'assigneeUserId must be a member of the company', {
    field: 'assigneeUserId',
  });

export async function assertMember(
  { db, companyId }: Call,
  userId: string | null | undefined,
): Promise<void> {
  const memberId = memberOf(userId ?? null);
  if (memberId === null) return;
  if ((await ask(db, lockMemberRow, { companyId, memberId })).length === 0) throw notMember();
}

/**
 * Unassigns the open work of a person who leaves; work in progress returns to todo. The caller
 * holds the lock of the company's members.
 */
export async function unassignPerson(tx: Tx, userId: string): Promise<void> {
  const { companyId, actor, runId } = tx;
  const freed = await ask(tx, unassignIssuesOfPerson, { companyId, userId });
  const entries = freed.map(({ id, from, to }) => ({
    companyId,
    actor,
    runId,
    action: 'issue.unassigned',
    entityId: id,
    details: { userId, from, to, reason: 'member_removed' },
  }));
  await recordActivities(tx, entries);
}

export const lockMemberRow = statement('lock-assigned-member', {
  takes: { companyId: 'uuid', memberId: 'uuid' },
  gives: {},
  sql: ({ companyId, memberId }) => `
    SELECT FROM membership WHERE company_id = ${companyId} AND user_id = ${memberId} FOR KEY SHARE`,
});

const unassignIssuesOfPerson = statement('unassign-issues-of-person', {
  takes: { companyId: 'uuid', userId: 'text' },
  gives: { id: 'uuid', from: 'text', to: 'text' },
  sql: ({ companyId, userId }) => `
    WITH given AS (
      SELECT id, status FROM issue WHERE company_id = ${companyId} AND assignee_user_id = ${userId}
        AND ${isOpenSql('issue')} ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE issue SET assignee_user_id = NULL, checkout_user_id = NULL,
      checked_out_at = CASE WHEN checkout_user_id IS NULL THEN checked_out_at END,
      status = CASE WHEN issue.status = 'in_progress' AND checkout_run_id IS NULL THEN 'todo' ELSE issue.status END,
      updated_at = now()
    FROM given WHERE issue.id = given.id
    RETURNING issue.id, given.status AS "from", issue.status AS "to"`,
});
