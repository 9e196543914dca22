import { ask, statement } from '@switchyard/db';
import type { EscalationStep, OnDeadline } from '@switchyard/types';
import type { Tx } from '../../kernel/call';

export interface Deadline {
  deadlineAt: string | null;
  onDeadline: OnDeadline | null;
  deadlinePassedAt: string | null;
  escalation: EscalationStep[];
  waitsSince: string;
}

const DEADLINE = {
  deadlineAt: 'time?',
  onDeadline: 'json?',
  deadlinePassedAt: 'time?',
  escalation: 'json',
  waitsSince: 'time',
} as const;

export function nextAskAt({ escalation, waitsSince }: Deadline): string | null {
  const next = escalation.findIndex(({ askedAt }) => askedAt === null);
  if (next === -1) return null;
  const delaySec = escalation.slice(0, next + 1).reduce((sum, { afterSec }) => sum + afterSec, 0);
  return new Date(Date.parse(waitsSince) + delaySec * 1000).toISOString();
}

export const openDeadlineAt = ({ deadlineAt, deadlinePassedAt }: Deadline): string | null =>
  deadlinePassedAt === null ? deadlineAt : null;

function nextStepAt(deadline: Deadline): string | null {
  const times = [openDeadlineAt(deadline), nextAskAt(deadline)].filter((time) => time !== null);
  return times.sort((one, other) => Date.parse(one) - Date.parse(other))[0] ?? null;
}

export const deadlineColumns = (deadline: Deadline) => ({
  ...deadline,
  nextStepAt: nextStepAt(deadline),
});

export async function lockPending(tx: Tx, approvalId: string): Promise<PendingDeadline | null> {
  const [row] = await ask(tx, lockPendingDeadline, { approvalId });
  return (row as PendingDeadline | undefined) ?? null;
}

export type PendingDeadline = Deadline & { type: string; now: string };

const lockPendingDeadline = statement('lock-pending-deadline', {
  takes: { approvalId: 'uuid' },
  gives: { ...DEADLINE, type: 'text', now: 'time' },
  sql: ({ approvalId }) => `
    SELECT deadline_at AS "deadlineAt", on_deadline AS "onDeadline", deadline_passed_at AS "deadlinePassedAt",
      escalation, waits_since AS "waitsSince", type, clock_timestamp() AS now
    FROM approval WHERE id = ${approvalId} AND status = 'pending' FOR NO KEY UPDATE`,
});

export async function writeDeadline(tx: Tx, approvalId: string, deadline: Deadline): Promise<void> {
  await ask(tx, updateDeadline, { approvalId, ...deadlineColumns(deadline) });
}

const updateDeadline = statement('update-deadline', {
  takes: { approvalId: 'uuid', ...DEADLINE, nextStepAt: 'time?' },
  gives: {},
  sql: (p) => `
    UPDATE approval SET deadline_at = ${p.deadlineAt}, on_deadline = ${p.onDeadline},
      deadline_passed_at = ${p.deadlinePassedAt}, escalation = ${p.escalation},
      waits_since = ${p.waitsSince}, next_step_at = ${p.nextStepAt}, updated_at = now()
    WHERE id = ${p.approvalId}`,
});

export async function restartDeadline(tx: Tx, approvalId: string): Promise<void> {
  const before = await lockPending(tx, approvalId);
  if (!before) return;
  const { deadlineAt, waitsSince, onDeadline, now } = before;
  const laterMs = Date.parse(now) - Date.parse(waitsSince);
  await writeDeadline(tx, approvalId, {
    deadlineAt: deadlineAt && new Date(Date.parse(deadlineAt) + laterMs).toISOString(),
    onDeadline,
    deadlinePassedAt: null,
    // Excludes the step with `afterSec` 0, which was added when the deadline passed.
    escalation: before.escalation
      .filter(({ afterSec }) => afterSec > 0)
      .map((step) => ({ ...step, askedAt: null })),
    waitsSince: now,
  });
}
