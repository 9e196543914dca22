import type { RunSource } from '@switchyard/types';
import { SYSTEM } from '../../access/actor';
import { inTransaction, systemCall, type Tx } from '../../call';
import type { Context } from '../../context';
import { recordActivities } from '../../state/activity';
import { lockAgent } from '../../state/agents/lock-agent';
import { withJobContext } from '../../work/with-job-context';
import { enqueueRun } from './enqueue-run';

async function admit(tx: Tx, wakeupId: string, agentId: string): Promise<void> {
  await lockAgent(tx, agentId);
  const wakeup = await tx.prisma.agentWakeup.findUniqueOrThrow({ where: { id: wakeupId } });
  if (wakeup.status !== 'pending') return;
  const { issueId, commentId, routineRunId, reason, hops } = wakeup;
  const payload = wakeup.payload as Record<string, unknown> | null;
  const source = wakeup.source as RunSource;
  const wake = { agentId, source, reason, issueId, commentId, routineRunId, payload, hops };
  const admission = await enqueueRun(tx, wake);
  if (admission.outcome !== 'skipped') {
    const data = { status: 'admitted', runId: admission.run.id };
    await tx.prisma.agentWakeup.update({ where: { id: wakeupId }, data });
    return;
  }
  const { reason: skipReason } = admission;
  await tx.prisma.agentWakeup.update({
    where: { id: wakeupId },
    data: { status: 'skipped', skipReason },
  });
  await recordActivities(tx, [
    {
      companyId: wakeup.companyId,
      actor: SYSTEM,
      action: 'wakeup.skipped',
      entityType: 'agent',
      entityId: agentId,
      details: { reason: skipReason, source, issueId, commentId },
    },
  ]);
}

/**
 * The `mention-wakeups` job: a recorded wake joins the agent's waiting run or makes one. Decided under
 * the agent's lock, as pause and terminate are: whether the agent may be woken is asked here again, because
 * a pause cannot see a wake whose transaction has not committed. A wake that was admitted, or skipped by
 * a halt, is left alone, so duplicate and late hints are harmless. A wake that is refused only now is said
 * in the activity, because the answer to its comment told otherwise.
 */
export async function processWakeup(context: Context, wakeupId: string): Promise<void> {
  const named = await context.db.prisma.agentWakeup.findUnique({
    where: { id: wakeupId },
    select: {
      id: true,
      companyId: true,
      agentId: true,
      status: true,
      correlationId: true,
      traceContext: true,
    },
  });
  if (named?.status !== 'pending') return;
  const { agentId, companyId } = named;
  await withJobContext('mention-wakeups', named, () =>
    inTransaction(systemCall(context, companyId), (tx) => admit(tx, wakeupId, agentId)),
  );
}
