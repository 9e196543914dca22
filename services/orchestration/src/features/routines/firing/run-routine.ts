import { isDeepStrictEqual } from 'node:util';
import type { RoutineModel, RoutineRunModel, Transaction } from '@switchyard/db';
import { conflict, forbidden, unprocessable } from '@switchyard/server';
import type { RoutineRunView, RunRoutineBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../../call';
import { lockOwnRoutine } from '../lock-routine';
import { getFiredRun } from '../routine-runs';
import { fireRun } from './fire-run';
import { type Firing, insertRun, refusePausedCompany } from './insert-run';

/**
 * The trigger that a manual run is recorded against (spec, "Routines", rule 2).
 * @throws ApiError 422 when there is none of this id, 403 when it belongs to another routine or company
 */
async function namedTrigger(
  tx: Transaction,
  routine: RoutineModel,
  triggerId: string | null | undefined,
) {
  if (!triggerId) return null;
  const trigger = await tx.prisma.routineTrigger.findUnique({
    where: { id: triggerId },
    select: { id: true, companyId: true, routineId: true, kind: true, enabled: true },
  });
  const details = { field: 'triggerId' };
  if (!trigger) throw unprocessable('unknown_reference', 'triggerId does not exist', details);
  if (trigger.companyId !== routine.companyId) {
    throw forbidden('cross_company', 'triggerId belongs to another company', details);
  }
  if (trigger.routineId !== routine.id) {
    throw forbidden('forbidden', 'triggerId belongs to another routine', details);
  }
  return trigger;
}

function assertEnabled(trigger: { id: string; enabled: boolean } | null): void {
  if (!trigger || trigger.enabled) return;
  const details = { triggerId: trigger.id, retry: false };
  throw conflict('trigger_disabled', 'the trigger is not enabled', details);
}

/** As JSON keeps it, e.g. without the sign of a zero. */
const kept = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** The run that this key has made before. @throws ApiError 409 when it was asked for something else */
async function storedRun(
  tx: Transaction,
  routineId: string,
  firing: Firing,
): Promise<RoutineRunModel | null> {
  const { idempotencyKey } = firing;
  if (!idempotencyKey) return null;
  const stored = await tx.prisma.routineRun.findUnique({
    where: { routineId_idempotencyKey: { routineId, idempotencyKey } },
  });
  if (!stored) return null;
  const isSame =
    stored.source === firing.source &&
    stored.triggerId === firing.triggerId &&
    isDeepStrictEqual(kept(stored.payload), kept(firing.payload));
  if (isSame) return stored;
  throw conflict('idempotency_conflict', 'idempotencyKey was used before with another body', {
    routineRunId: stored.id,
    retry: false,
  });
}

/**
 * Fires at once, past the schedule and also while the routine is paused; the concurrency policy applies
 * (spec, "Routines", rule 1; contract, "Behaviour" 7). The same idempotencyKey answers the same run.
 * @throws ApiError 403 `not_own`, 409 `routine_archived`, `company_paused`, `trigger_disabled`,
 * `idempotency_conflict`
 */
export async function runRoutine(
  call: Call,
  routineId: string,
  body: RunRoutineBody,
): Promise<RoutineRunView> {
  return inTransaction(call, async (tx) => {
    const routine = await lockOwnRoutine(tx, routineId);
    const trigger = await namedTrigger(tx, routine, body.triggerId);
    const firing: Firing = {
      source: body.source ?? (trigger?.kind === 'api' ? 'api' : 'manual'),
      triggerId: trigger?.id ?? null,
      payload: body.payload ?? null,
      idempotencyKey: body.idempotencyKey ?? null,
    };
    const stored = await storedRun(tx, routineId, firing);
    if (stored) return getFiredRun(tx, stored.id);
    assertEnabled(trigger);
    await refusePausedCompany(tx, routine.companyId);
    const run = await insertRun(tx, routine, firing);
    await fireRun(tx, routine, run);
    return getFiredRun(tx, run.id);
  });
}
