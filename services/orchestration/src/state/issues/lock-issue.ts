import { ask, bind, type Database, type RowOf, statement, trip } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { LOCAL_BOARD_ID } from '@switchyard/types';
import type { Tx } from '../../kernel/call';
import { lockMemberRow, memberOf } from './assigned-person';
import { lockAssigneeRow } from './assignees';
import { ISSUE, type IssueRow, selectIssue } from './issue-columns';

export interface IssueState {
  issue: IssueRow;
  holder: { agentId: string; status: string } | null;
  run: { agentId: string; isLive: boolean } | null;
  isMember: boolean;
  /** Null if the assignee is not a person, or is the board in local mode. */
  assigneeName: string | null;
  agent: { id: string; companyId: string; status: string; wakeOnAssignment: boolean } | null;
}

interface Parts {
  agentId: string | null;
  userId?: string | null;
  runId: string | null;
}

export interface Owner {
  agentId: string | null;
  userId: string | null;
}

/**
 * Locks the named person or agent, the acting run, and the issue, in the order that all writers
 * use. The run's key share lock prevents its end; a stronger lock would delay its lease renewals.
 * @throws ApiError 404
 */
export async function lockIssue(
  tx: Tx,
  issueId: string,
  { agentId, userId = null, runId }: Parts,
): Promise<IssueState> {
  const { companyId } = tx;
  const memberId = memberOf(userId);
  const locks = [
    ...(memberId ? [bind(lockMemberRow, { companyId, memberId })] : []),
    ...(agentId ? [bind(lockAssigneeRow, { companyId, agentId })] : []),
    ...(runId ? [bind(lockActingRun, { runId })] : []),
    bind(lockIssueRow, { issueId }),
  ];
  return stateOf(await trip(tx, locks, readState, { issueId, agentId, memberId, runId }), userId);
}

/**
 * Reads without a lock. This is enough for rejecting a request.
 * @throws ApiError 404
 */
export async function readIssueState(
  db: Database,
  issueId: string,
  { agentId, userId = null, runId }: Parts,
): Promise<IssueState> {
  const values = { issueId, agentId, memberId: memberOf(userId), runId };
  return stateOf(await ask(db, readState, values), userId);
}

export function ownerOf({ issue, holder }: Pick<IssueState, 'issue' | 'holder'>): Owner | null {
  if (holder?.status === 'running') return { agentId: holder.agentId, userId: null };
  const { assigneeAgentId: agentId, assigneeUserId: userId } = issue;
  return agentId || userId ? { agentId, userId } : null;
}

function stateOf([row]: RowOf<typeof readState>[], userId: string | null): IssueState {
  if (!row) throw notFound('issue');
  const { holder, run, agent, assigneeName, isMember: hasMembership, ...issue } = row;
  const isMember = hasMembership || userId === LOCAL_BOARD_ID;
  return { issue, holder, run, agent, assigneeName, isMember };
}

const lockActingRun = statement('lock-acting-run', {
  takes: { runId: 'uuid' },
  gives: {},
  sql: ({ runId }) =>
    `SELECT FROM heartbeat_run WHERE id = ${runId} AND status = 'running' FOR KEY SHARE`,
});

export const lockIssueRow = statement('lock-issue', {
  takes: { issueId: 'uuid' },
  gives: {},
  sql: ({ issueId }) => `SELECT FROM issue WHERE id = ${issueId} FOR NO KEY UPDATE`,
});

const readState = statement('read-issue-state', {
  takes: { issueId: 'uuid', agentId: 'uuid?', memberId: 'uuid?', runId: 'uuid?' },
  gives: {
    ...ISSUE,
    isMember: 'bool',
    assigneeName: 'text?',
    holder: 'json?',
    run: 'json?',
    agent: 'json?',
  },
  sql: ({ issueId, agentId, memberId, runId }) => `
    SELECT ${selectIssue(ISSUE, 'i')},
      EXISTS (SELECT FROM membership m
        WHERE m.company_id = i.company_id AND m.user_id = ${memberId}) AS "isMember",
      CASE WHEN i.assignee_user_id <> '${LOCAL_BOARD_ID}' THEN
        (SELECT p.name FROM person p WHERE p.id = i.assignee_user_id::uuid) END AS "assigneeName",
      CASE WHEN holder.id IS NOT NULL THEN
        json_build_object('agentId', holder.agent_id, 'status', holder.status) END AS holder,
      CASE WHEN run.id IS NOT NULL THEN
        json_build_object('agentId', run.agent_id, 'isLive', run.status = 'running') END AS run,
      CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'companyId', a.company_id,
        'status', a.status, 'wakeOnAssignment', a.wake_on_assignment) END AS agent
    FROM issue i
    LEFT JOIN heartbeat_run holder ON holder.id = i.checkout_run_id
    LEFT JOIN heartbeat_run run ON run.id = ${runId}
    LEFT JOIN agent a ON a.id = ${agentId}
    WHERE i.id = ${issueId}`,
});
