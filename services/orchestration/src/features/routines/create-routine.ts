import { inTransaction, newId } from '@switchyard/db';
import { forbidden } from '@switchyard/server';
import type { CreateRoutineBody, RoutineView } from '@switchyard/types';
import { createdBy, type Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { assertAssignable, lockAssignee } from '../issues/assignees';
import { getRoutine } from './routines';

/**
 * @throws Refusal 403 `not_own` when an agent creates for another, 422 for an assignee that is terminated
 * or waits for approval (spec, "Authentication", rights on routines)
 */
export async function createRoutine(scope: Scope, body: CreateRoutineBody): Promise<RoutineView> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    const assignee = await lockAssignee(tx, companyId, body.assigneeAgentId);
    if (assignee && actor.type === 'agent' && actor.agentId !== assignee.id) {
      throw forbidden('not_own', 'an agent may create only routines assigned to itself');
    }
    if (assignee) assertAssignable(assignee);
    const { id } = await tx.routine.create({
      data: { ...body, id: newId(), companyId, ...createdBy(scope) },
    });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'routine.created',
      entityType: 'routine',
      entityId: id,
      details: { title: body.title, assigneeAgentId: body.assigneeAgentId },
    });
    return getRoutine(tx, id);
  });
}
