import { announce, ask, columnValues, snakeCase, statement } from '@switchyard/db';
import { ISSUE_PRIORITIES, type IssuePriority, type UpdateIssueBody } from '@switchyard/types';
import { ACTIVITY, activityOf, insertActivity } from '../../kernel/activity';
import { type Call, inTransaction } from '../../kernel/call';
import { hasTextRoomSql, textFull } from '../companies/text-quota';
import { rankWaitingRuns } from '../runs/claims/rank-waiting-runs';
import { isOpenSql, isOver } from '../statuses/issue-status';
import { ISSUE, type IssueRow, selectIssue } from './issue-columns';
import { wakeWaiting } from './wake-waiting';

export type IssueChange = Omit<
  UpdateIssueBody,
  'comment' | 'blockedBy' | 'labels' | 'wake' | 'revision'
> & {
  checkoutRunId?: string | null;
  checkoutUserId?: string | null;
  checkedOutAt?: 'now' | null;
  startedAt?: string;
  completedAt?: 'now' | null;
  cancelledAt?: 'now' | null;
};

/**
 * Writes fields of an issue and records `action` in one statement; writes nothing if no field
 * differs. `linked` are changes in other tables, recorded with the update. If the issue ends, the
 * same transaction wakes the assignees of issues that wait for it. A new priority also applies to
 * the waiting runs of the issue.
 * @throws ApiError 409 `storage_full`
 */
export async function changeIssue(
  call: Call,
  issueId: string,
  change: IssueChange,
  record: Recorded,
): Promise<IssueRow> {
  const ends = change.status !== undefined && isOver(change.status);
  const isRanked = change.priority !== undefined;
  if (!ends && !isRanked) return (await write(call, issueId, change, record)).issue;
  return inTransaction(call, async (tx) => {
    const { issue, isMoved } = await write(tx, issueId, change, record);
    if (isRanked) await rankWaitingRuns(tx, { companyId: tx.companyId, issueId });
    if (ends && isMoved) await wakeWaiting(tx, issue);
    return issue;
  });
}

interface Recorded {
  action: keyof typeof STATEMENTS;
  details: Record<string, unknown>;
  linked?: string[];
}

async function write(
  call: Call,
  issueId: string,
  change: IssueChange,
  { action, details, linked = [] }: Recorded,
): Promise<{ issue: IssueRow; isMoved: boolean }> {
  const names = Object.keys(change);
  const textLimit = call.context.config.companyTextBytes;
  const rank = change.priority && { priorityRank: rankOf(change.priority) };
  const values = {
    issueId,
    fields: columnValues({ ...change, ...rank }),
    names,
    columns: names.map(snakeCase),
    linked,
    details,
    textLimit,
    ...activityOf(call),
  };
  let [row] = await ask(call.db, STATEMENTS[action], values);
  // The first statement may have waited for a transaction that removed text, which it did not see.
  if (row?.isFull) [row] = await ask(call.db, STATEMENTS[action], values);
  if (!row) throw new Error(`the issue ${issueId} does not exist`);
  const { isChanged, isMoved, isFull, ...issue } = row;
  if (isFull) throw textFull(textLimit);
  if (isChanged) announce(call.db, call.companyId);
  return { issue, isMoved };
}

const rankOf = (priority: IssuePriority) => ISSUE_PRIORITIES.indexOf(priority);

/**
 * `before` is the latest version of the row, because a locking read waits for the transaction that
 * holds the row. `jsonb_populate_record` does not change fields that `fields` omits.
 */
function changeIssueAs(name: string, action: string, namesChanges: boolean) {
  return statement(name, {
    takes: {
      issueId: 'uuid',
      fields: 'json',
      names: 'text[]',
      columns: 'text[]',
      linked: 'text[]',
      details: 'json',
      textLimit: 'bigint',
      ...ACTIVITY,
    },
    gives: { ...ISSUE, isChanged: 'bool', isMoved: 'bool', isFull: 'bool' },
    sql: (p) => `
      WITH before AS (
        SELECT i AS row FROM issue i WHERE i.id = ${p.issueId} FOR NO KEY UPDATE
      ), wanted AS MATERIALIZED (
        SELECT row AS old, jsonb_populate_record(row, ${p.fields}) AS new FROM before
      ), texts AS MATERIALIZED (
        SELECT old, new, to_jsonb(old) AS was, to_jsonb(new) AS becomes FROM wanted
      ), compared AS (
        SELECT old, new, ARRAY(
          SELECT field.name FROM unnest(${p.names}, ${p.columns}) WITH ORDINALITY AS field (name, col, at)
          WHERE was -> col IS DISTINCT FROM becomes -> col ORDER BY at
        ) || ${p.linked} AS changed, ${fitsSql(p)} AS fits FROM texts
      ), written AS (
        UPDATE issue SET ${WRITTEN.map((column) => `${column} = (new).${column}`).join(', ')}, updated_at = now(),
          board_mention_comment_id = CASE WHEN ${isOpenSql('(new)')} THEN (old).board_mention_comment_id END
        FROM compared WHERE issue.id = ${p.issueId} AND changed <> '{}' AND fits RETURNING issue.*, changed
      ), recorded AS (${insertActivity(p, {
        action,
        from: 'written',
        companyId: 'company_id',
        entityId: 'id',
        details: namesChanges
          ? `jsonb_build_object('changed', changed) || ${p.details}`
          : p.details,
      })})
      SELECT ${selectIssue(ISSUE, 'written')}, true AS "isChanged", 'status' = ANY (changed) AS "isMoved", false AS "isFull" FROM written
      UNION ALL SELECT ${selectIssue(ISSUE, '(old)')}, false, false, NOT fits FROM compared WHERE changed = '{}' OR NOT fits`,
  });
}

function fitsSql({ textLimit }: { textLimit: string }): string {
  const bytes = (row: string) =>
    `(octet_length(${row}.title) + coalesce(octet_length(${row}.description), 0))`;
  const added = `(${bytes('(new)')} - ${bytes('(old)')})`;
  return `(((new).title, (new).description) IS NOT DISTINCT FROM ((old).title, (old).description)
    OR ${hasTextRoomSql({ companyId: '(old).company_id', textLimit }, added)})`;
}

const WRITTEN = [
  'title',
  'description',
  'status',
  'priority',
  'priority_rank',
  'assignee_agent_id',
  'assignee_user_id',
  'parent_id',
  'project_id',
  'goal_id',
  'billing_code',
  'due_date',
  'checkout_run_id',
  'checkout_user_id',
  'checked_out_at',
  'started_at',
  'completed_at',
  'cancelled_at',
];

const STATEMENTS = {
  'issue.updated': changeIssueAs('update-issue', 'issue.updated', true),
  'issue.released': changeIssueAs('release-issue', 'issue.released', false),
  'issue.completed': changeIssueAs('complete-issue', 'issue.completed', false),
  'issue.reopened': changeIssueAs('reopen-issue', 'issue.reopened', false),
};
