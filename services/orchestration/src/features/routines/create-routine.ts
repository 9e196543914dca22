import type { CreateRoutineBody, RoutineView } from '@switchyard/types';
import { assertMayCreateRoutine } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { assertAssignable, lockAssignee } from '../../state/issues/assignees';
import { insertRoutine } from '../../state/routines/change-routine';
import { getRoutine } from './routines';

export async function createRoutine(call: Call, body: CreateRoutineBody): Promise<RoutineView> {
  const { companyId } = call;
  return inTransaction(call, async (tx) => {
    const assignee = await lockAssignee(tx, companyId, body.assigneeAgentId);
    if (assignee) {
      assertMayCreateRoutine(call, assignee.id);
      assertAssignable(assignee);
    }
    return getRoutine(tx, await insertRoutine(tx, body));
  });
}
