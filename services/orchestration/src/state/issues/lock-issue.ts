import { ask, bind, type Database, type RowOf, statement, trip } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { LOCAL_BOARD_ID } from '@switchyard/types';
import type { Tx } from '../../call';
import { lockMemberRow, memberOf } from './assigned-person';
import { lockAssigneeRow } from './assignees';
import { ISSUE, type IssueRow, selectIssue } from './issue-columns';

export interface IssueState {
  issue: IssueRow;
  /** The run that has it checked out. */
  holder: { agentId: string; status: string } | null;
  run: { agentId: string; isLive: boolean } | null;
  /** Whether the person that the call names belongs to the company. */
  isMember: boolean;
  /** Of the person who is the assignee; the board of local trusted mode has none. */
  assigneeName: string | null;
  agent: { id: string; companyId: string; status: string; wakeOnAssignment: boolean } | null;
}

/** What a call changes an issue for; null or left out where it plays no part. */
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
 * Locks the person or the agent that the call names, the acting run against its end, and the issue, in the order that every writer
 * keeps, and returns what is true behind these locks. The run's is a key share lock, because a stronger one would starve
 * the renewals of its lease; what ends a run locks it for update.
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

/** The same without a lock: enough to refuse, because a refusal is true of one moment. @throws ApiError 404 */
export async function readIssueState(
  db: Database,
  issueId: string,
  { agentId, userId = null, runId }: Parts,
): Promise<IssueState> {
  const values = { issueId, agentId, memberId: memberOf(userId), runId };
  return stateOf(await ask(db, readState, values), userId);
}

/** Who owns an issue in progress: the agent of the run that holds the lock, else the assignee. */
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

/** The lock alone, for a statement that reads the issue behind it. */
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
