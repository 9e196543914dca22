import {
  announce,
  ask,
  bind,
  type Database,
  newId,
  type ParametersOf,
  statement,
  trip,
} from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import { type CreateIssueBody, ISSUE_PRIORITIES, type WakeOutcome } from '@switchyard/types';
import { createdBy } from '../../access/actor';
import type { Call, Tx } from '../../call';
import { ACTIVITY, activityOf, insertActivity } from '../activity';
import { companyArchived } from '../companies/archived';
import { assertTextRoom, hasTextRoomSql } from '../companies/text-quota';
import { type Prospect, prospectSql } from '../wakeups/foresee-wake';
import { hintWakeup, insertWakeupSql } from '../wakeups/record-wakeups';
import { wakeHops } from '../wakeups/wake-hops';
import { assertMember, lockMemberRow, memberOf } from './assigned-person';
import {
  assertAssignable,
  assignmentSkipReason,
  blockedBy,
  lockAssignee,
  lockAssigneeRow,
  outcomeOf,
  skipped,
} from './assignees';
import { assertBlockersExist, distinctIds, lockBlockers } from './blockers';
import { ISSUE, type IssueRow, selectUnlabelledIssue } from './issue-columns';
import { isOpenSql, isOver } from './issue-status';

export type IssueFields = CreateIssueBody & { issueNumber: number; originRoutineRunId?: string };

/**
 * Writes an issue under a number that was taken for it, and does not wake its assignee, whose lock the caller may hold.
 * @throws ApiError 422 for an agent that is terminated or waits for approval and for a person who is no member, 422 and 403
 * for blockers that are no issues of the company, 409 in a company that was archived meanwhile or whose quota of text is used up; nothing is written then
 */
export async function insertIssue(
  tx: Tx,
  fields: IssueFields,
  assigneeIs: 'locked' | 'unlocked' = 'unlocked',
): Promise<{ issue: IssueRow }> {
  const hops = fields.blockedBy?.length ? await wakeHops(tx) : 0;
  const how = { wakes: false, onlyQuietly: false, hops, locksAssignee: assigneeIs === 'unlocked' };
  const made = await insert(tx, fields, how);
  if (made) return { issue: made.issue };
  const assignee = await lockAssignee(tx, tx.companyId, fields.assigneeAgentId);
  if (assignee) assertAssignable(assignee);
  await assertMember(tx, fields.assigneeUserId);
  await assertBlockersExist(tx, fields.blockedBy ?? []);
  await assertTextRoom(tx, fields.title + (fields.description ?? ''));
  throw companyArchived();
}

/**
 * The same, and wakes the assignee, in one round trip, with a transaction of its own where the call is in none. Null, and
 * nothing written, where there is something to be refused, or a wake, now or at the end of a blocker, of which an agent is
 * the cause: how many agents in a row have woken one another is counted elsewhere.
 */
export async function insertIssueAtOnce(
  call: Call,
  fields: IssueFields,
): Promise<{ issue: IssueRow; woken: WakeOutcome[] } | null> {
  const { actor } = call;
  const mayWake =
    !isOver(fields.status ?? '') &&
    !(actor.type === 'agent' && actor.agentId === fields.assigneeAgentId?.toLowerCase());
  const isByAgent = actor.type === 'agent';
  if (isByAgent && fields.blockedBy?.length) return null;
  const wakes = { wakes: mayWake && !isByAgent, onlyQuietly: mayWake && isByAgent };
  const made = await insert(call, fields, { ...wakes, hops: 0, locksAssignee: true });
  if (!made) return null;
  const { issue, assignee, openBlockers, wakeupId } = made;
  if (wakeupId) await hintWakeup(call, wakeupId);
  if (!assignee) return { issue, woken: [] };
  const { id, prospect } = assignee;
  const reason = assignmentSkipReason(call, issue, assignee);
  if (reason) return { issue, woken: [skipped(id, reason)] };
  if (openBlockers > 0) return { issue, woken: [skipped(id, blockedBy(openBlockers))] };
  return { issue, woken: [outcomeOf(id, prospect, wakeupId)] };
}

interface Inserted {
  issue: IssueRow;
  assignee: { id: string; wakeOnAssignment: boolean; prospect: Prospect } | null;
  openBlockers: number;
  /** The wake of the assignee, where one was recorded. */
  wakeupId: string | null;
}

async function insert(
  call: Call,
  fields: IssueFields,
  {
    locksAssignee,
    ...how
  }: { wakes: boolean; onlyQuietly: boolean; hops: number; locksAssignee: boolean },
): Promise<Inserted | null> {
  const { db, companyId } = call;
  const { status = 'backlog', priority = 'medium' } = fields;
  const { assigneeAgentId: agentId = null, assigneeUserId: userId = null } = fields;
  const memberId = memberOf(userId);
  const wanted = distinctIds(fields.blockedBy ?? []);
  const values = {
    companyId,
    agentId,
    userId,
    memberId,
    ...how,
    issueId: newId(),
    issueNumber: fields.issueNumber,
    title: fields.title,
    description: fields.description ?? null,
    status,
    priority,
    priorityRank: ISSUE_PRIORITIES.indexOf(priority),
    parentId: fields.parentId ?? null,
    projectId: fields.projectId ?? null,
    goalId: fields.goalId ?? null,
    billingCode: fields.billingCode ?? null,
    dueDate: fields.dueDate ?? null,
    originRoutineRunId: fields.originRoutineRunId ?? null,
    textLimit: call.context.config.companyTextBytes,
    wanted,
    wakeupId: newId(),
    ...presentOrigin(),
    ...createdBy(call),
    ...activityOf(call),
  };
  const locks = [
    ...(memberId ? [bind(lockMemberRow, { companyId, memberId })] : []),
    ...(agentId && locksAssignee ? [bind(lockAssigneeRow, { companyId, agentId })] : []),
    ...(wanted.length > 0 ? [bind(lockBlockers, { companyId, wanted })] : []),
  ];
  if (!memberId && !agentId && wanted.length === 0) return insertAlone(db, values);
  const [row] = await trip(db, locks, insertLinked, values);
  if (!row) return null;
  announce(db, companyId);
  const { assignee, openBlockers, recordedWakeupId: wakeupId, ...issue } = row;
  return { issue, assignee, openBlockers, wakeupId };
}

/** An issue that is given to nobody and waits for none, as most are. */
async function insertAlone(
  db: Database,
  values: ParametersOf<typeof insertOnly>,
): Promise<Inserted | null> {
  const [issue] = await ask(db, insertOnly, values);
  if (!issue) return null;
  announce(db, values.companyId);
  return { issue, assignee: null, openBlockers: 0, wakeupId: null };
}

const FIELDS = {
  companyId: 'uuid',
  agentId: 'uuid?',
  userId: 'text?',
  issueId: 'uuid',
  issueNumber: 'int',
  title: 'text',
  description: 'text?',
  status: 'text',
  priority: 'text',
  priorityRank: 'int',
  parentId: 'uuid?',
  projectId: 'uuid?',
  goalId: 'uuid?',
  billingCode: 'text?',
  dueDate: 'date?',
  originRoutineRunId: 'uuid?',
  textLimit: 'bigint',
  createdByAgentId: 'uuid?',
  createdByUserId: 'text?',
  ...ACTIVITY,
} as const;

type Fields = Readonly<Record<keyof typeof FIELDS, string>>;

/** The CTE of every insert. */
const make = (p: Fields, where = 'true') => `
    made AS (
      INSERT INTO issue (id, company_id, issue_number, identifier, title, description, status, priority,
        priority_rank, assignee_agent_id, assignee_user_id, parent_id, project_id, goal_id, billing_code, due_date,
        started_at, completed_at, cancelled_at,
        created_by_agent_id, created_by_user_id, origin_routine_run_id)
      SELECT ${p.issueId}, company.id, ${p.issueNumber}, issue_prefix || '-' || ${p.issueNumber},
        ${p.title}, ${p.description}, ${p.status}, ${p.priority}, ${p.priorityRank},
        ${p.agentId}, ${p.userId}, ${p.parentId}, ${p.projectId}, ${p.goalId}, ${p.billingCode}, ${p.dueDate},
        CASE ${p.status} WHEN 'done' THEN now() END, CASE ${p.status} WHEN 'done' THEN now() END,
        CASE ${p.status} WHEN 'cancelled' THEN now() END,
        ${p.createdByAgentId}, ${p.createdByUserId}, ${p.originRoutineRunId}
      FROM company WHERE company.id = ${p.companyId} AND company.status <> 'archived' AND ${where}
        AND ${hasTextRoomSql(p, `octet_length(${p.title}) + coalesce(octet_length(${p.description}), 0)`)}
      FOR KEY SHARE OF company
      RETURNING *
    )`;

const recordCreated = (p: Fields, more = '') =>
  insertActivity(p, {
    action: 'issue.created',
    from: 'made',
    companyId: 'company_id',
    entityId: 'id',
    details: `jsonb_build_object('identifier', identifier, 'title', title, 'status', status)${more}`,
  });

const insertOnly = statement('insert-issue', {
  takes: FIELDS,
  gives: ISSUE,
  sql: (p) => `
    WITH ${make(p)}, recorded AS (${recordCreated(p)})
    SELECT ${selectUnlabelledIssue('made')} FROM made`,
});

const insertLinked = statement('insert-linked-issue', {
  takes: {
    ...FIELDS,
    memberId: 'uuid?',
    wakes: 'bool',
    onlyQuietly: 'bool',
    hops: 'int',
    wanted: 'uuid[]',
    wakeupId: 'uuid',
    correlationId: 'text?',
    traceContext: 'text?',
  },
  gives: {
    ...ISSUE,
    openBlockers: 'int',
    assignee: 'json?',
    recordedWakeupId: 'uuid?',
  },
  sql: (p) => `
    WITH assignee AS (
      SELECT a.* FROM agent a WHERE a.id = ${p.agentId} AND a.company_id = ${p.companyId}
    ), blockers AS (
      SELECT count(*) AS known, count(*) FILTER (WHERE ${isOpenSql('b')})::int AS open
      FROM issue b WHERE b.id = ANY (${p.wanted}) AND b.company_id = ${p.companyId}
    ), ${make(
      p,
      `(SELECT known FROM blockers) = cardinality(${p.wanted}) AND NOT EXISTS (
          SELECT FROM assignee a WHERE a.status IN ('terminated', 'pending_approval')
            OR ${p.onlyQuietly} AND a.wake_on_assignment AND (SELECT open FROM blockers) = 0)
        AND (${p.memberId} IS NULL OR EXISTS (
          SELECT FROM membership m WHERE m.company_id = ${p.companyId} AND m.user_id = ${p.memberId}))`,
    )}, waits AS (
      INSERT INTO issue_blocker (company_id, issue_id, blocker_id, hops)
      SELECT company_id, id, unnest(${p.wanted}), ${p.hops} FROM made
    ), woken AS (${insertWakeupSql(p, {
      from: `made JOIN assignee a ON ${p.wakes} AND a.wake_on_assignment AND (SELECT open FROM blockers) = 0`,
      companyId: 'made.company_id',
      agentId: 'a.id',
      issueId: 'made.id',
      source: 'assignment',
    })} RETURNING id), recorded AS (${recordCreated(
      p,
      ` || CASE WHEN cardinality(${p.wanted}) > 0
          THEN jsonb_build_object('blockedBy', ${p.wanted}) ELSE '{}' END`,
    )})
    SELECT ${selectUnlabelledIssue('made')}, (SELECT open FROM blockers) AS "openBlockers",
      (SELECT json_build_object('id', a.id, 'wakeOnAssignment', a.wake_on_assignment,
        'prospect', ${prospectSql('a', 'c')})
        FROM assignee a JOIN company c ON c.id = a.company_id) AS assignee,
      (SELECT id FROM woken) AS "recordedWakeupId"
    FROM made`,
});
