import { randomUUID } from 'node:crypto';
import { inTransaction, newId, type Tx } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { CreatedTriggerView, CreateTriggerBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { lockOwnRoutine } from './lock-routine';
import { assertSchedule, nextRunAt } from './next-run-at';
import { presentTrigger, presentWithSecret } from './present-trigger';
import { newTriggerSecret } from './trigger-secret';

/** A routine is answered with all of its triggers. */
const MAX_TRIGGERS = 100;

async function assertRoom(tx: Tx, routineId: string): Promise<void> {
  const count = await tx.routineTrigger.count({ where: { routineId } });
  if (count < MAX_TRIGGERS) return;
  throw conflict('conflict', `a routine has at most ${MAX_TRIGGERS} triggers`, { retry: false });
}

/** The columns of the kind alone, and for a webhook the secret that is shown once. */
async function columnsOf(
  effects: Pick<Effects, 'secretBox'>,
  tx: Tx,
  trigger: { id: string; companyId: string },
  body: CreateTriggerBody,
  routine: { status: string },
) {
  const { kind, label = null, enabled = true } = body;
  const common = { kind, label, enabled };
  if (body.kind === 'schedule') {
    const { cronExpression, timezone = 'UTC' } = body;
    const stated = { ...common, cronExpression, timezone };
    return {
      columns: { ...stated, nextRunAt: await nextRunAt(tx, stated, routine) },
      secret: null,
    };
  }
  if (body.kind === 'api') return { columns: common, secret: null };
  const { signingMode = 'bearer', replayWindowSec = 300 } = body;
  const place = { ...trigger, secretVersion: 1 };
  const made = await newTriggerSecret(effects.secretBox, tx, place, body.secret);
  const webhook = { publicId: randomUUID(), signingMode, replayWindowSec };
  return { columns: { ...common, ...webhook, ...made.columns }, secret: made.secret };
}

/**
 * @throws Refusal 400 for a schedule that cannot be read or never matches, 403 `not_own`, 409
 * `routine_archived`
 */
export async function createTrigger(
  effects: Effects,
  scope: Scope,
  routineId: string,
  body: CreateTriggerBody,
): Promise<CreatedTriggerView> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    const routine = await lockOwnRoutine(tx, scope, routineId);
    if (body.kind === 'schedule') {
      assertSchedule({ cronExpression: body.cronExpression, timezone: body.timezone ?? 'UTC' });
    }
    await assertRoom(tx, routineId);
    const place = { id: newId(), companyId };
    const { columns, secret } = await columnsOf(effects, tx, place, body, routine);
    const madeByAgent = actor.type === 'agent';
    const data = { ...place, routineId, ...columns, madeByAgent };
    const row = await tx.routineTrigger.create({ data });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'routine_trigger.created',
      entityType: 'routine_trigger',
      entityId: row.id,
      details: { routineId, kind: row.kind, label: row.label },
    });
    if (secret === null) return presentTrigger(row) as CreatedTriggerView;
    return presentWithSecret(row, effects.config.publicUrl, secret);
  });
}
