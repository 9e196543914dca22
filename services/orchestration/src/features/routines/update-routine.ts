import type { RoutineView, UpdateRoutineBody } from '@switchyard/types';
import { assertMayReassignRoutine } from '../../access/rules';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { changedFields } from '../../state/changed-fields';
import { assertAssignable, lockAssignee } from '../../state/issues/assignees';
import { changeRoutine } from '../../state/routines/change-routine';
import { setNextRun } from '../../state/routines/change-trigger';
import { lockOwnRoutine } from './lock-own-routine';
import { getRoutine } from './routines';
import { nextRunAt } from './schedule/next-run-at';

export async function updateRoutine(
  call: Call,
  routineId: string,
  body: UpdateRoutineBody,
): Promise<RoutineView> {
  const { companyId } = call;
  return inTransaction(call, async (tx) => {
    const before = await lockOwnRoutine(tx, routineId);
    const assignee = await lockAssignee(tx, companyId, body.assigneeAgentId);
    const isGiven = assignee !== null && assignee.id !== before.assigneeAgentId;
    if (isGiven) {
      assertMayReassignRoutine(call);
      assertAssignable(assignee);
    }
    const changed = changedFields<object>(before, body);
    if (changed.length === 0) return getRoutine(tx, routineId);
    await changeRoutine(tx, before, body, changed);
    const { status } = body;
    if (status !== undefined && status !== before.status) {
      await reschedule(tx, { id: routineId, status });
    }
    return getRoutine(tx, routineId);
  });
}

async function reschedule(tx: Tx, routine: { id: string; status: string }): Promise<void> {
  const triggers = await tx.prisma.routineTrigger.findMany({
    where: { routineId: routine.id, kind: 'schedule' },
    select: { id: true, kind: true, enabled: true, cronExpression: true, timezone: true },
    orderBy: { id: 'asc' },
  });
  for (const trigger of triggers) {
    await setNextRun(tx, trigger.id, await nextRunAt(tx, trigger, routine));
  }
}
