import { newId } from '@switchyard/db';
import type { CreateGoalBody, GoalView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { assertTextFits } from '../../state/companies/text-quota';
import { lockHierarchy } from '../../state/hierarchy';
import { assertLevels } from './assert-levels';
import { presentGoal } from './present-goal';

export async function createGoal(call: Call, body: CreateGoalBody): Promise<GoalView> {
  const { companyId } = call;
  const { level = 'task', parentId = null } = body;
  return inTransaction(call, async (tx) => {
    if (parentId) {
      await lockHierarchy(tx, 'goal', companyId);
      await assertLevels(tx, { id: null, companyId, level, parentId });
    }
    const goal = await tx.prisma.goal.create({ data: { ...body, level, id: newId(), companyId } });
    await assertTextFits(tx);
    await tx.record('goal.created', goal.id, { title: goal.title, level, status: goal.status });
    return presentGoal(goal);
  });
}
