import { errorFields } from '@switchyard/server';
import type { RoutineRunSource } from '@switchyard/types';
import { type Call, inTransaction, systemCall } from '../../../call';
import type { Context } from '../../../context';
import { cancelFiring, recordFailedAttempt } from '../../../state/routines/end-firing';
import { lockRoutine } from '../../../state/routines/lock-routine';
import { type FiringFacts, readFiringFacts } from '../../../state/routines/read-firing-facts';
import { withJobContext } from '../../../work/with-job-context';
import { fireRun } from './fire-run';

/**
 * The `routine-firings` job: fires a run that a due schedule has put down. One that fires already, or was fired, is left
 * alone, so duplicate and late hints are harmless; an error stops no other run.
 */
export async function fireScheduled(context: Context, routineRunId: string): Promise<void> {
  const named = await context.db.prisma.routineRun.findUnique({
    where: { id: routineRunId },
    select: { id: true, companyId: true, routineId: true, status: true },
  });
  if (named?.status !== 'pending') return;
  await withJobContext('routine-firings', named, async () => {
    const call = systemCall(context, named.companyId);
    try {
      await fire(call, routineRunId, named.routineId);
    } catch (error) {
      await noteFailure(call, routineRunId, error);
    }
  });
}

async function fire(call: Call, id: string, routineId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const routine = await lockRoutine(tx, routineId);
    const run = await tx.prisma.routineRun.findUniqueOrThrow({ where: { id } });
    if (run.status !== 'pending') return;
    const { triggerId, idempotencyKey, scheduledFor } = run;
    const facts = await readFiringFacts(tx, routineId, triggerId);
    const reason = stopReason(routine, facts);
    if (reason !== null) return cancelFiring(tx, id, reason);
    const source = run.source as RoutineRunSource;
    const payload = run.payload as Record<string, unknown> | null;
    await fireRun(tx, routine, { id, source, triggerId, payload, idempotencyKey }, facts);
    tx.afterCommit(() => observeLag(call.context, scheduledFor));
  });
}

/** Why a firing that was due may not go on: somebody has stopped its routine or company since. */
function stopReason(routine: { status: string }, { companyStatus }: FiringFacts): string | null {
  if (routine.status !== 'active') return `routine_${routine.status}`;
  return companyStatus === 'active' ? null : `company_${companyStatus}`;
}

/** By this process's clock, which a histogram may trust; what is due is decided by the database's. */
function observeLag({ metrics }: Context, scheduledFor: Date | null): void {
  if (scheduledFor === null) return;
  metrics.fireLag.observe(Math.max(0, Date.now() - scheduledFor.getTime()) / 1000);
}

async function noteFailure(call: Call, runId: string, error: unknown): Promise<void> {
  const { logger } = call.context;
  logger.warn('a routine could not be fired', { routineRunId: runId, ...errorFields(error) });
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  await inTransaction(call, (tx) => recordFailedAttempt(tx, runId, reason));
}
