import { inTransaction, type RoutineTriggerModel, type Tx } from '@switchyard/db';
import { invalidField, notFound } from '@switchyard/server';
import type { RoutineTriggerView, UpdateTriggerBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { changedFields } from '../../changed-fields';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { lockOwnRoutine } from './lock-routine';
import { assertSchedule, nextRunAt } from './next-run-at';
import { presentTrigger } from './present-trigger';
import { newTriggerSecret } from './trigger-secret';

const KIND_OF_FIELD = {
  cronExpression: 'schedule',
  timezone: 'schedule',
  signingMode: 'webhook',
  replayWindowSec: 'webhook',
  secret: 'webhook',
} as const;

/** The routine that a trigger belongs to; triggers never move. */
export async function routineOfTrigger(tx: Tx, triggerId: string): Promise<string> {
  const trigger = await tx.routineTrigger.findUnique({
    where: { id: triggerId },
    select: { routineId: true },
  });
  if (!trigger) throw notFound('trigger');
  return trigger.routineId;
}

/** Read only after its routine is locked. @throws Refusal 404 when it was deleted meanwhile */
export async function getTrigger(tx: Tx, triggerId: string): Promise<RoutineTriggerModel> {
  const trigger = await tx.routineTrigger.findUnique({ where: { id: triggerId } });
  if (!trigger) throw notFound('trigger');
  return trigger;
}

function assertKind(trigger: RoutineTriggerModel, body: UpdateTriggerBody): void {
  for (const [field, kind] of Object.entries(KIND_OF_FIELD)) {
    if (body[field as keyof typeof KIND_OF_FIELD] === undefined || trigger.kind === kind) continue;
    throw invalidField(field, `a ${trigger.kind} trigger has no such field`);
  }
}

/** As a rotation: the previous secret is invalid at once (guarantee G17). */
async function secretColumns(
  effects: Pick<Effects, 'secretBox'>,
  tx: Tx,
  trigger: RoutineTriggerModel,
  secret: string,
) {
  const place = { ...trigger, secretVersion: trigger.secretVersion + 1 };
  return (await newTriggerSecret(effects.secretBox, tx, place, secret)).columns;
}

/** A person who sets when it fires, or its secret, takes it over from the agent that did. */
const TAKES_OVER = ['cronExpression', 'timezone', 'secret'];

function madeByAgent(
  { actor }: Pick<Scope, 'actor'>,
  before: RoutineTriggerModel,
  body: UpdateTriggerBody,
): boolean {
  if (actor.type === 'agent') return true;
  return before.madeByAgent && !TAKES_OVER.some((field) => field in body);
}

/**
 * Writes what differs. Any change of when it fires forgets what was due, and its failures.
 * @throws Refusal 400 for a field of another kind or a schedule that cannot be read, 403 `not_own`, 409
 * `routine_archived`
 */
export async function updateTrigger(
  effects: Pick<Effects, 'secretBox'>,
  scope: Scope,
  triggerId: string,
  body: UpdateTriggerBody,
): Promise<RoutineTriggerView> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    const routine = await lockOwnRoutine(tx, scope, await routineOfTrigger(tx, triggerId));
    const before = await getTrigger(tx, triggerId);
    assertKind(before, body);
    const wanted = { ...before, ...body };
    const { cronExpression, timezone } = wanted;
    if (cronExpression && timezone) assertSchedule({ cronExpression, timezone });
    const changed = changedFields(before, body);
    if (changed.length === 0) return presentTrigger(before);
    const isRescheduled = changed.some((field) => field !== 'label');
    const afresh = { failureCount: 0, failureReason: null };
    const { secret, ...fields } = body;
    const after = await tx.routineTrigger.update({
      where: { id: triggerId },
      data: {
        ...fields,
        madeByAgent: madeByAgent(scope, before, body),
        ...(secret !== undefined && (await secretColumns(effects, tx, before, secret))),
        ...(isRescheduled && { ...afresh, nextRunAt: await nextRunAt(tx, wanted, routine) }),
      },
    });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'routine_trigger.updated',
      entityType: 'routine_trigger',
      entityId: triggerId,
      details: { routineId: routine.id, changed },
    });
    return presentTrigger(after);
  });
}
