import { ask, statement } from '@switchyard/db';
import type { OnDeadline } from '@switchyard/types';
import { inTransaction, systemCall, type Tx } from '../../../kernel/call';
import type { Context } from '../../../kernel/context';
import { lockAgent } from '../../../state/agents/lock-agent';
import {
  type Deadline,
  lockPending,
  nextAskAt,
  openDeadlineAt,
  type PendingDeadline,
  writeDeadline,
} from '../../../state/approvals/deadlines';
import { answer } from '../../../state/approvals/decisions';
import { decideApproval } from '../decide-approval';

const BATCH = 24;
const AT_ONCE = 4;
const OLDEST = 500;

export async function takeSteps(context: Context): Promise<boolean> {
  const due = await ask(context.db, dueSteps, {});
  const failures: unknown[] = [];
  let taken = 0;
  for (let at = 0; at < due.length; at += AT_ONCE) {
    const steps = due.slice(at, at + AT_ONCE).map((step) => takeStep(context, step));
    for (const step of await Promise.allSettled(steps)) {
      if (step.status === 'rejected') failures.push(step.reason);
      else if (step.value) taken++;
    }
  }
  if (taken > 0) return due.length === BATCH;
  if (failures.length > 0) throw failures[0];
  return false;
}

export const DUE = "status = 'pending' AND next_step_at <= clock_timestamp()";

const dueSteps = statement('due-steps', {
  takes: {},
  gives: { id: 'uuid', companyId: 'uuid', hiredAgentId: 'uuid?', isArchived: 'bool' },
  sql: () => `
    SELECT due.id, due.company_id AS "companyId", due.hired_agent_id AS "hiredAgentId",
      c.status = 'archived' AS "isArchived"
    FROM (SELECT * FROM approval WHERE ${DUE} ORDER BY next_step_at LIMIT ${OLDEST}) due
      JOIN company c ON c.id = due.company_id
    ORDER BY random() LIMIT ${BATCH}`,
});

interface DueStep {
  id: string;
  companyId: string;
  hiredAgentId: string | null;
  isArchived: boolean;
}

async function takeStep(context: Context, step: DueStep): Promise<boolean> {
  const { id, companyId, hiredAgentId, isArchived } = step;
  return inTransaction(systemCall(context, companyId), async (tx) => {
    if (hiredAgentId) await lockAgent(tx, hiredAgentId);
    const pending = await lockPending(tx, id);
    if (!pending) return false;
    const { type, now, ...deadline } = pending;
    if (isArchived) {
      await writeDeadline(tx, id, { ...deadline, deadlinePassedAt: now, escalation: [] });
      return true;
    }
    const ends = openDeadlineAt(deadline);
    const asks = nextAskAt(deadline);
    if (isDue(ends, now) && !(asks !== null && Date.parse(asks) < Date.parse(ends as string))) {
      await passDeadline(tx, id, pending);
      return true;
    }
    if (!isDue(asks, now)) return false;
    await askNext(tx, id, pending);
    return true;
  });
}

const isDue = (time: string | null, now: string) =>
  time !== null && Date.parse(time) <= Date.parse(now);

async function askNext(tx: Tx, id: string, { type, now, ...deadline }: PendingDeadline) {
  const at = deadline.escalation.findIndex(({ askedAt }) => askedAt === null);
  const escalation = deadline.escalation.with(at, {
    ...(deadline.escalation[at] as Deadline['escalation'][number]),
    askedAt: now,
  });
  await writeDeadline(tx, id, { ...deadline, escalation });
  const userId = escalation[at]?.userId;
  await tx.record('approval.escalated', id, { type, userId, step: at + 1 });
}

async function passDeadline(tx: Tx, id: string, { type, now, ...before }: PendingDeadline) {
  const onDeadline: OnDeadline = before.onDeadline ?? { action: 'wait' };
  const { action } = onDeadline;
  const escalation =
    action === 'ask' ? withAsked(before, onDeadline.userId, now) : before.escalation;
  await writeDeadline(tx, id, { ...before, escalation, deadlinePassedAt: now });
  await tx.record('approval.deadline_passed', id, { type, action });
  if (action === 'answer') {
    const { option, note = null } = onDeadline;
    await answer(tx, id, { option, note });
  } else if (action === 'reject') {
    const { note: decisionNote = NO_DECISION } = onDeadline;
    await decideApproval(tx, id, 'rejected', { decisionNote });
  } else if (action === 'ask') {
    await tx.record('approval.escalated', id, {
      type,
      userId: onDeadline.userId,
      reason: 'deadline',
    });
  }
}

const NO_DECISION = 'No decision was made before the deadline';

function withAsked({ escalation }: Deadline, userId: string, askedAt: string) {
  const first = escalation.findIndex((step) => step.askedAt === null);
  const at = first === -1 ? escalation.length : first;
  return escalation.toSpliced(at, 0, { userId, afterSec: 0, askedAt });
}
