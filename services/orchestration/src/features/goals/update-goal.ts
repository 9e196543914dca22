import { ask, type GoalModel, statement, type Transaction } from '@switchyard/db';
import type { GoalLevel, GoalView, UpdateGoalBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { changedFields } from '../../state/changed-fields';
import { assertTextFits } from '../../state/companies/text-quota';
import { assertNoCycle, lockHierarchy } from '../../state/hierarchy';
import { assertLevels } from './assert-levels';
import { presentGoal } from './present-goal';

/**
 * Allows any change of status, because the specification has no transitions for goals.
 * @throws ApiError 422 `cycle`, or `semantic_error` if the level does not fit the parent or a child
 */
export async function updateGoal(
  call: Call,
  goalId: string,
  body: UpdateGoalBody,
): Promise<GoalView> {
  const { companyId } = call;
  const moves = body.parentId !== undefined || body.level !== undefined;
  return inTransaction(call, async (tx) => {
    if (moves) await lockHierarchy(tx, 'goal', companyId);
    await ask(tx, lockGoal, { goalId });
    const before = await tx.prisma.goal.findUniqueOrThrow({ where: { id: goalId } });
    const changed = changedFields(before, body);
    if (changed.length === 0) return presentGoal(before);
    if (moves) await assertPlace(tx, before, body);
    const after = await tx.prisma.goal.update({ where: { id: goalId }, data: body });
    if (changed.includes('title') || changed.includes('description')) await assertTextFits(tx);
    const { status: from } = before;
    const { status: to } = after;
    await tx.record('goal.updated', goalId, { changed, ...(from !== to && { from, to }) });
    return presentGoal(after);
  });
}

async function assertPlace(
  tx: Transaction,
  before: GoalModel,
  body: UpdateGoalBody,
): Promise<void> {
  const { id, companyId } = before;
  const { level = before.level as GoalLevel, parentId = before.parentId } = body;
  if (body.parentId) await assertNoCycle(tx, 'goal', companyId, id, body.parentId);
  await assertLevels(tx, { id, companyId, level, parentId });
}

const lockGoal = statement('lock-goal', {
  takes: { goalId: 'uuid' },
  gives: {},
  sql: ({ goalId }) => `SELECT FROM goal WHERE id = ${goalId} FOR NO KEY UPDATE`,
});
