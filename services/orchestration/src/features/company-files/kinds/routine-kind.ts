import {
  type CreateTriggerBody,
  createRoutineBody,
  createTriggerBody,
  updateRoutineBody,
} from '@switchyard/types';
import { z } from 'zod';
import type { Tx } from '../../../kernel/call';
import { UNEMPLOYED } from '../../../state/statuses/agent-status';
import { createRoutine } from '../../routines/create-routine';
import { createTrigger } from '../../routines/create-trigger';
import { deleteTrigger } from '../../routines/delete-trigger';
import { getRoutine } from '../../routines/routines';
import { updateRoutine } from '../../routines/update-routine';
import { updateTrigger } from '../../routines/update-trigger';
import { SLUG } from '../slug-of';
import { defineKind, OLDEST_FIRST } from './kind';

const triggers = z
  .array(
    createTriggerBody.refine((trigger) => !('secret' in trigger), {
      path: ['secret'],
      error: 'must not be in a file: set it with PATCH /api/routine-triggers/{triggerId}',
    }),
  )
  .max(100)
  .optional();

const elsewhere = { status: true, parentIssueId: true } as const;

export const routines = defineKind({
  folder: 'routines/',
  slug: SLUG,
  named: 'title',
  fields: {
    title: null,
    assignee: { to: 'agents', as: 'assigneeAgentId' },
    project: { to: 'projects', as: 'projectId' },
    goal: { to: 'goals', as: 'goalId' },
    priority: null,
    concurrencyPolicy: null,
    catchUpPolicy: null,
    triggers: null,
  },
  text: 'description',
  creates: createRoutineBody.omit(elsewhere).extend({ triggers }),
  updates: updateRoutineBody.omit(elsewhere).extend({ triggers }),
  read: async (source, page) => {
    const { db, companyId } = source;
    const rows = await db.prisma.routine.findMany({
      where: {
        companyId,
        status: { not: 'archived' },
        assignee: { status: { notIn: UNEMPLOYED } },
      },
      select: { id: true },
      orderBy: [...OLDEST_FIRST],
      ...page,
    });
    const found = [];
    for (const { id } of rows) {
      const routine = await getRoutine(source, id);
      found.push({ ...routine, triggers: routine.triggers.map(showTrigger) });
    }
    return found;
  },
  create: async (tx, { triggers, ...body }, { activates }) => {
    const status = activates ? 'active' : 'paused';
    const { id } = await createRoutine(tx, { ...body, status });
    await writeTriggers(tx, id, triggers ?? []);
    return id;
  },
  update: async (tx, id, { triggers, ...body }) => {
    if (Object.keys(body).length > 0) await updateRoutine(tx, id, body);
    if (triggers) await writeTriggers(tx, id, triggers);
  },
});

function showTrigger(trigger: CreateTriggerBody) {
  const { kind, label, enabled } = trigger;
  const common = { kind, label, enabled };
  if (trigger.kind === 'schedule') {
    const { cronExpression, timezone } = trigger;
    return { ...common, cronExpression, timezone };
  }
  if (trigger.kind === 'api') return common;
  const { signingMode, replayWindowSec } = trigger;
  return { ...common, signingMode, replayWindowSec };
}

/**
 * Makes the triggers equal to those of the file, by kind and position. A new webhook gets a new
 * address and secret.
 */
async function writeTriggers(tx: Tx, routineId: string, wanted: CreateTriggerBody[]) {
  const left = (await getRoutine(tx, routineId)).triggers;
  for (const trigger of wanted) {
    const at = left.findIndex(({ kind }) => kind === trigger.kind);
    const [before] = at < 0 ? [] : left.splice(at, 1);
    const { kind: _, ...body } = trigger;
    if (before) await updateTrigger(tx, before.id, body);
    else await createTrigger(tx, routineId, trigger);
  }
  for (const { id } of left) await deleteTrigger(tx, id);
}
