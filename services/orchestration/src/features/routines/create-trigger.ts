import { randomUUID } from 'node:crypto';
import { newId, type Transaction } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { CreatedTriggerView, CreateTriggerBody } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { insertTrigger } from '../../state/routines/change-trigger';
import { getTrigger, lockOwnRoutine } from './lock-own-routine';
import { presentTrigger, presentWithSecret } from './present-trigger';
import { assertSchedule, nextRunAt } from './schedule/next-run-at';
import { newTriggerSecret } from './webhook/trigger-secret';

export async function createTrigger(
  call: Call,
  routineId: string,
  body: CreateTriggerBody,
): Promise<CreatedTriggerView> {
  const { companyId, actor } = call;
  return inTransaction(call, async (tx) => {
    const routine = await lockOwnRoutine(tx, routineId);
    if (body.kind === 'schedule') {
      assertSchedule({ cronExpression: body.cronExpression, timezone: body.timezone ?? 'UTC' });
    }
    await assertRoom(tx, routineId);
    const place = { id: newId(), companyId };
    const { columns, secret } = await columnsOf(tx, place, body, routine);
    const madeByAgent = actor.type === 'agent';
    await insertTrigger(tx, { ...place, routineId, ...columns, madeByAgent });
    const row = await getTrigger(tx, place.id);
    if (secret === null) return presentTrigger(row) as CreatedTriggerView;
    return presentWithSecret(row, call.context.config.publicUrl, secret);
  });
}

const MAX_TRIGGERS = 100;

async function assertRoom(tx: Transaction, routineId: string): Promise<void> {
  const count = await tx.prisma.routineTrigger.count({ where: { routineId } });
  if (count < MAX_TRIGGERS) return;
  throw conflict('conflict', `a routine may have at most ${MAX_TRIGGERS} triggers`, {
    retry: false,
  });
}

/** Also returns a webhook's secret, which only the response to the creation contains. */
async function columnsOf(
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
  const made = await newTriggerSecret(tx.context.secretBox, tx, place, body.secret);
  const webhook = { publicId: randomUUID(), signingMode, replayWindowSec };
  return { columns: { ...common, ...webhook, ...made.columns }, secret: made.secret };
}
