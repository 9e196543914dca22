import { ask, bind, type Database, type RowOf, statement, trip } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { Tx } from '../../call';
import { lockAssigneeRow } from './assignees';
import { ISSUE, type IssueRow, selectIssue } from './issue-columns';

/** An issue with what decides about it. */
export interface IssueState {
  issue: IssueRow;
  /** The run that has it checked out. */
  holder: { agentId: string; status: string } | null;
  /** The run that acts. */
  run: { agentId: string; isLive: boolean } | null;
  /** The agent that the call names. */
  agent: { id: string; companyId: string; status: string; wakeOnAssignment: boolean } | null;
}

/** What a call changes an issue for; both null where they play no part. */
interface Parts {
  agentId: string | null;
  runId: string | null;
}

/**
 * Locks the agent that the call names, the acting run against its end, and the issue, in the order that every writer
 * keeps, and returns what is true behind these locks. The run's is a key share lock, because a stronger one would starve
 * the renewals of its lease; what ends a run locks it for update.
 * @throws ApiError 404
 */
export async function lockIssue(
  tx: Tx,
  issueId: string,
  { agentId, runId }: Parts,
): Promise<IssueState> {
  const { companyId } = tx;
  const locks = [
    ...(agentId ? [bind(lockAssigneeRow, { companyId, agentId })] : []),
    ...(runId ? [bind(lockActingRun, { runId })] : []),
    bind(lockRow, { issueId }),
  ];
  return stateOf(await trip(tx, locks, readState, { issueId, agentId, runId }));
}

/** The same without a lock: enough to refuse, because a refusal is true of one moment. @throws ApiError 404 */
export async function readIssueState(
  db: Database,
  issueId: string,
  { agentId, runId }: Parts,
): Promise<IssueState> {
  return stateOf(await ask(db, readState, { issueId, agentId, runId }));
}

/** Who owns an issue in progress: the agent of the run that holds the lock, else the assignee. */
export function ownerOf({ issue, holder }: IssueState): string | null {
  return holder?.status === 'running' ? holder.agentId : issue.assigneeAgentId;
}

function stateOf([row]: RowOf<typeof readState>[]): IssueState {
  if (!row) throw notFound('issue');
  const { holder, run, agent, ...issue } = row;
  return { issue, holder, run, agent };
}

const lockActingRun = statement('lock-acting-run', {
  takes: { runId: 'uuid' },
  gives: {},
  sql: ({ runId }) =>
    `SELECT FROM heartbeat_run WHERE id = ${runId} AND status = 'running' FOR KEY SHARE`,
});

const lockRow = statement('lock-issue', {
  takes: { issueId: 'uuid' },
  gives: {},
  sql: ({ issueId }) => `SELECT FROM issue WHERE id = ${issueId} FOR NO KEY UPDATE`,
});

const readState = statement('read-issue-state', {
  takes: { issueId: 'uuid', agentId: 'uuid?', runId: 'uuid?' },
  gives: { ...ISSUE, holder: 'json?', run: 'json?', agent: 'json?' },
  sql: ({ issueId, agentId, runId }) => `
    SELECT ${selectIssue(ISSUE, 'i')},
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
