import type { RoutineTriggerModel } from '@switchyard/db';
import { invalidField } from '@switchyard/server';
import type { RoutineTriggerView, UpdateTriggerBody } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { changedFields } from '../../state/changed-fields';
import { changeTrigger } from '../../state/routines/change-trigger';
import { getTrigger, lockTrigger } from './lock-own-routine';
import { presentTrigger } from './present-trigger';
import { assertSchedule, nextRunAt } from './schedule/next-run-at';
import { newTriggerSecret } from './webhook/trigger-secret';

/**
 * A change of the schedule discards missed times and failures.
 * @throws ApiError 400 for a field of another trigger kind or an invalid schedule, 403 `not_own`,
 * 409 `routine_archived`
 */
export async function updateTrigger(
  call: Call,
  triggerId: string,
  body: UpdateTriggerBody,
): Promise<RoutineTriggerView> {
  return inTransaction(call, async (tx) => {
    const { routine, trigger: before } = await lockTrigger(tx, triggerId);
    assertKind(before, body);
    const wanted = { ...before, ...body };
    const { cronExpression, timezone } = wanted;
    if (cronExpression && timezone) assertSchedule({ cronExpression, timezone });
    const changed = changedFields(before, body);
    if (changed.length === 0) return presentTrigger(before);
    const isRescheduled = changed.some((field) => field !== 'label');
    const afresh = { failureCount: 0, failureReason: null };
    const { secret, ...fields } = body;
    const columns = {
      ...fields,
      madeByAgent: madeByAgent(call, before, body),
      ...(secret !== undefined && (await secretColumns(tx, before, secret))),
      ...(isRescheduled && { ...afresh, nextRunAt: await nextRunAt(tx, wanted, routine) }),
    };
    await changeTrigger(tx, before, columns, changed);
    return presentTrigger(await getTrigger(tx, triggerId));
  });
}

const KIND_OF_FIELD = {
  cronExpression: 'schedule',
  timezone: 'schedule',
  signingMode: 'webhook',
  replayWindowSec: 'webhook',
  secret: 'webhook',
} as const;

function assertKind(trigger: RoutineTriggerModel, body: UpdateTriggerBody): void {
  for (const [field, kind] of Object.entries(KIND_OF_FIELD)) {
    if (body[field as keyof typeof KIND_OF_FIELD] === undefined || trigger.kind === kind) continue;
    throw invalidField(field, `is not a field of a ${trigger.kind} trigger`);
  }
}

async function secretColumns(tx: Tx, trigger: RoutineTriggerModel, secret: string) {
  const place = { ...trigger, secretVersion: trigger.secretVersion + 1 };
  return (await newTriggerSecret(tx.context.secretBox, tx, place, secret)).columns;
}

const TAKES_OVER = ['cronExpression', 'timezone', 'secret'];

function madeByAgent(
  { actor }: Call,
  before: RoutineTriggerModel,
  body: UpdateTriggerBody,
): boolean {
  if (actor.type === 'agent') return true;
  return before.madeByAgent && !TAKES_OVER.some((field) => field in body);
}
