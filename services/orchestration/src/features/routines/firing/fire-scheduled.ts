import { afterCommit, type Transaction } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import { type Call, inTransaction, systemCall } from '../../../call';
import type { Context } from '../../../context';
import { settleTrigger } from '../../../state/routines/settle-trigger';
import { withJobContext } from '../../../work/with-job-context';
import { lockRoutine } from '../lock-routine';
import { fireRun } from './fire-run';

/** After as many errors a firing is given up, with the last one as its reason. */
const MAX_ATTEMPTS = 5;

/** Why a firing that was due may not go on: somebody has stopped its routine or company since. */
async function stopReason(
  tx: Transaction,
  routine: { status: string; companyId: string },
): Promise<string | null> {
  if (routine.status !== 'active') return `routine_${routine.status}`;
  const company = await tx.prisma.company.findUniqueOrThrow({
    where: { id: routine.companyId },
    select: { status: true },
  });
  return company.status === 'active' ? null : `company_${company.status}`;
}

/** By this process's clock, which a histogram may trust; what is due is decided by the database's. */
function observeLag({ metrics }: Context, scheduledFor: Date | null): void {
  if (scheduledFor === null) return;
  metrics.fireLag.observe(Math.max(0, Date.now() - scheduledFor.getTime()) / 1000);
}

async function fire(call: Call, runId: string, routineId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const routine = await lockRoutine(tx, routineId);
    const run = await tx.prisma.routineRun.findUniqueOrThrow({ where: { id: runId } });
    if (run.status !== 'pending') return;
    const reason = await stopReason(tx, routine);
    if (reason !== null) {
      await tx.prisma.$executeRaw`
        UPDATE routine_run SET status = 'cancelled', failure_reason = ${reason},
          completed_at = clock_timestamp() WHERE id = ${runId}::uuid`;
      return;
    }
    await fireRun(tx, routine, run);
    afterCommit(tx, () => observeLag(call.context, run.scheduledFor));
  });
}

async function noteFailure(context: Context, runId: string, error: unknown): Promise<void> {
  const { logger } = context;
  logger.warn('a routine could not be fired', { routineRunId: runId, ...errorFields(error) });
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  await inTransaction(systemCall(context), async (tx) => {
    const [run] = await tx.prisma.$queryRaw<{ trigger_id: string | null; status: string }[]>`
      UPDATE routine_run SET attempts = attempts + 1,
        status = CASE WHEN attempts + 1 >= ${MAX_ATTEMPTS} THEN 'failed' ELSE status END,
        failure_reason = CASE WHEN attempts + 1 >= ${MAX_ATTEMPTS} THEN ${reason} END,
        completed_at = CASE WHEN attempts + 1 >= ${MAX_ATTEMPTS} THEN clock_timestamp() END
      WHERE id = ${runId}::uuid AND status = 'pending' RETURNING trigger_id, status`;
    if (run?.status === 'failed' && run.trigger_id) await settleTrigger(tx, run.trigger_id, reason);
  });
}

/**
 * The `routine-firings` job: fires a run that a due schedule has put down. One that fires already, or was
 * fired, is left alone, so duplicate and late hints are harmless; an error stops no other run.
 */
export async function fireScheduled(context: Context, routineRunId: string): Promise<void> {
  const named = await context.db.prisma.routineRun.findUnique({
    where: { id: routineRunId },
    select: { id: true, companyId: true, routineId: true, status: true },
  });
  if (named?.status !== 'pending') return;
  const { routineId } = named;
  await withJobContext('routine-firings', named, async () => {
    try {
      await fire(systemCall(context, named.companyId), routineRunId, routineId);
    } catch (error) {
      await noteFailure(context, routineRunId, error);
    }
  });
}
