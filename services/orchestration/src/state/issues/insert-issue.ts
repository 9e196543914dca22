import { announce, ask, bind, newId, statement, trip } from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import { type CreateIssueBody, ISSUE_PRIORITIES, type WakeOutcome } from '@switchyard/types';
import { ACTIVITY, activityOf, insertActivity } from '../../kernel/activity';
import { createdBy } from '../../kernel/actor';
import { type Call, inTransaction } from '../../kernel/call';
import { assertNotArchived } from '../companies/archived';
import { assertTextRoom, hasTextRoomSql } from '../companies/text-quota';
import { isEmployedSql } from '../statuses/agent-status';
import { isOpenSql, isOver } from '../statuses/issue-status';
import { untilDecided } from '../until-decided';
import { type Prospect, prospectSql } from '../wakeups/foresee-wake';
import { hintWakeup, insertWakeupSql, recordSuppressed } from '../wakeups/record-wakeups';
import { isOverHopCap, wakeHops } from '../wakeups/wake-hops';
import { assertMember, lockMemberRow, memberOf } from './assigned-person';
import {
  assertAssignable,
  assignmentSkipReason,
  blockedBy,
  lockAssignee,
  lockAssigneeRow,
  outcomeOf,
  skipped,
  TOO_MANY_HOPS,
} from './assignees';
import { assertBlockersExist, distinctIds, lockBlockers } from './blockers';
import { ISSUE, type IssueRow, selectUnlabelledIssue } from './issue-columns';

export type IssueFields = CreateIssueBody & { issueNumber: number; originRoutineRunId?: string };

/**
 * Inserts an issue with a reserved number and wakes its assignee. With `quietly`, the caller holds
 * the assignee's lock and wakes the assignee.
 * @throws ApiError 422 for an agent that is terminated or awaits approval, or a person who is not a
 * member; 422 or 403 for blockers that are not issues of the company; 409 in an archived company or
 * if its text quota is used up
 */
export async function insertIssue(
  call: Call,
  fields: IssueFields,
  how: 'wakes' | 'quietly' = 'wakes',
): Promise<{ issue: IssueRow; woken: WakeOutcome[] }> {
  const { actor } = call;
  const wakes = how === 'wakes' && mayWake(call, fields);
  const hops = wakes || fields.blockedBy?.length ? await wakeHops(call) : 0;
  const isAtHopCap = wakes && actor.type === 'agent' && isOverHopCap(call, hops);
  const write = async (to: Call) => {
    const made = await untilDecided(
      () =>
        insert(to, fields, { wakes: wakes && !isAtHopCap, hops, locksAssignee: how === 'wakes' }),
      () => explainRefused(to, fields),
    );
    if (made.wakeupId) await hintWakeup(to, made.wakeupId);
    return { issue: made.issue, woken: how === 'wakes' ? outcomesOf(to, made, isAtHopCap) : [] };
  };
  if (!isAtHopCap) return write(call);
  return inTransaction(call, async (tx) => {
    const made = await write(tx);
    const agentIds = made.woken.filter(({ reason }) => reason === TOO_MANY_HOPS).map(agentIdOf);
    const wake = { agentIds, source: 'assignment', issueId: made.issue.id, hops } as const;
    if (agentIds.length > 0) await recordSuppressed(tx, [wake]);
    return made;
  });
}

const agentIdOf = ({ agentId }: WakeOutcome) => agentId;

const mayWake = ({ actor }: Call, { status = 'backlog', assigneeAgentId }: IssueFields): boolean =>
  Boolean(assigneeAgentId) &&
  !isOver(status) &&
  !(actor.type === 'agent' && actor.agentId === assigneeAgentId?.toLowerCase());

function outcomesOf(call: Call, made: Inserted, isAtHopCap: boolean): WakeOutcome[] {
  const { issue, assignee, openBlockers, wakeupId } = made;
  if (!assignee) return [];
  const { id, prospect } = assignee;
  const reason = assignmentSkipReason(call, issue, assignee);
  if (reason) return [skipped(id, reason)];
  if (openBlockers > 0) return [skipped(id, blockedBy(openBlockers))];
  return [isAtHopCap ? skipped(id, TOO_MANY_HOPS) : outcomeOf(id, prospect, wakeupId)];
}

async function explainRefused(call: Call, fields: IssueFields): Promise<null> {
  const { db, companyId } = call;
  const assignee = await lockAssignee(db, companyId, fields.assigneeAgentId);
  if (assignee) assertAssignable(assignee);
  await assertMember(call, fields.assigneeUserId);
  await assertBlockersExist(call, fields.blockedBy ?? []);
  await assertTextRoom(call, fields.title + (fields.description ?? ''));
  await assertNotArchived(db, companyId);
  return null;
}

interface Inserted {
  issue: IssueRow;
  assignee: { id: string; wakeOnAssignment: boolean; prospect: Prospect } | null;
  openBlockers: number;
  wakeupId: string | null;
}

async function insert(
  call: Call,
  fields: IssueFields,
  { locksAssignee, ...how }: { wakes: boolean; hops: number; locksAssignee: boolean },
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
  if (locks.length === 0 && !agentId) {
    const [issue] = await ask(db, insertOnly, values);
    if (issue) announce(db, companyId);
    return issue ? { issue, assignee: null, openBlockers: 0, wakeupId: null } : null;
  }
  const [row] = await trip(db, locks, insertLinked, values);
  if (!row) return null;
  announce(db, companyId);
  const { assignee, openBlockers, recordedWakeupId: wakeupId, ...issue } = row;
  return { issue, assignee, openBlockers, wakeupId };
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
          SELECT FROM assignee a WHERE NOT ${isEmployedSql('a')})
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
      hops: p.hops,
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
