import { inTransaction, newId } from '@switchyard/db';
import type { CreateGoalBody, GoalView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { lockHierarchy } from '../../hierarchy';
import { recordActivity } from '../activity/record-activity';
import { assertLevels } from './assert-levels';
import { presentGoal } from './present-goal';

/** @throws Refusal 422 for a parent of a lower level */
export async function createGoal(scope: Scope, body: CreateGoalBody): Promise<GoalView> {
  const { companyId, actor, runId } = scope;
  const { level = 'task', parentId = null } = body;
  return inTransaction(scope.db, async (tx) => {
    if (parentId) {
      await lockHierarchy(tx, 'goal', companyId);
      await assertLevels(tx, { id: null, companyId, level, parentId });
    }
    const goal = await tx.goal.create({ data: { ...body, level, id: newId(), companyId } });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'goal.created',
      entityType: 'goal',
      entityId: goal.id,
      details: { title: goal.title, level, status: goal.status },
    });
    return presentGoal(goal);
  });
}
