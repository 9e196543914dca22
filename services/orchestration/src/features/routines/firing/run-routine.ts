import { isDeepStrictEqual } from 'node:util';
import { newId, type Transaction } from '@switchyard/db';
import { conflict, forbidden } from '@switchyard/server';
import type { RoutineRunView, RunRoutineBody } from '@switchyard/types';
import { assertOwnRoutine } from '../../../access/rules';
import { type Call, inTransaction } from '../../../kernel/call';
import { assertReferenced } from '../../../state/references';
import { lockForFiring } from '../../../state/routines/lock-for-firing';
import type { Firing } from '../../../state/routines/record-firing';
import { readCallback } from '../../callbacks/request-callback';
import { findFiredRun } from '../routine-runs';
import { fireRun } from './fire-run';
import { storeFiringCallback } from './firing-callback';
import { assertCompanyActive, assertEnabled, refuseArchived } from './stopped';

/**
 * Fires immediately, also while the routine is paused; the concurrency policy applies (spec,
 * "Routines", rule 1). The same `idempotencyKey` returns the same run.
 * @throws ApiError 403 `not_own`, 409 `routine_archived`, `company_paused`, `trigger_disabled`,
 * `idempotency_conflict`
 */
export async function runRoutine(
  call: Call,
  routineId: string,
  body: RunRoutineBody,
): Promise<RoutineRunView> {
  const callback = readCallback(call, body);
  return inTransaction(call, async (tx) => {
    const routine = await lockForFiring(tx, routineId, { triggerId: body.triggerId ?? null });
    assertOwnRoutine(tx, routine);
    refuseArchived(routine);
    const trigger = await namedTrigger(tx, routine, body.triggerId);
    const firing: Firing = {
      id: newId(),
      source: body.source ?? (trigger?.kind === 'api' ? 'api' : 'manual'),
      triggerId: trigger?.id ?? null,
      payload: body.payload ?? null,
      delivery: null,
      idempotencyKey: body.idempotencyKey ?? null,
    };
    const storedId = await storedRun(tx, routineId, firing);
    if (storedId) return findFiredRun(tx, storedId);
    if (trigger) assertEnabled(trigger.enabled, { triggerId: trigger.id });
    assertCompanyActive(routine.companyStatus);
    const run = await fireRun(tx, routine, firing);
    if (callback) await storeFiringCallback(tx, callback, run);
    return run;
  });
}

async function namedTrigger(
  tx: Transaction,
  routine: { id: string; companyId: string },
  triggerId: string | null | undefined,
) {
  if (!triggerId) return null;
  const trigger = await tx.prisma.routineTrigger.findUnique({
    where: { id: triggerId },
    select: { id: true, companyId: true, routineId: true, kind: true, enabled: true },
  });
  assertReferenced(trigger, routine.companyId, 'triggerId');
  if (trigger.routineId !== routine.id) {
    const details = { field: 'triggerId' };
    throw forbidden('forbidden', 'triggerId must be the id of a trigger of this routine', details);
  }
  return trigger;
}

async function storedRun(
  tx: Transaction,
  routineId: string,
  firing: Firing,
): Promise<string | null> {
  const { idempotencyKey } = firing;
  if (!idempotencyKey) return null;
  const stored = await tx.prisma.routineRun.findUnique({
    where: { routineId_idempotencyKey: { routineId, idempotencyKey } },
    select: { id: true, source: true, triggerId: true, payload: true },
  });
  if (!stored) return null;
  const isSame =
    stored.source === firing.source &&
    stored.triggerId === firing.triggerId &&
    isDeepStrictEqual(kept(stored.payload), kept(firing.payload));
  if (isSame) return stored.id;
  throw conflict(
    'idempotency_conflict',
    'idempotencyKey was already used with a different body: send a new key',
    {
      routineRunId: stored.id,
      retry: false,
    },
  );
}

/** Returns the value as JSON preserves it, e.g. without the sign of a zero. */
const kept = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
