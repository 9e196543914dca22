import type { Reader } from '@switchyard/db';
import { type Answer, notFound } from '@switchyard/server';
import type { GoalView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { newestCursor, newestFirst, page } from '../../page';
import { presentGoal, presentGoalSummary } from './present-goal';

/** @throws Refusal 404 */
export async function getGoal(db: Reader, id: string): Promise<GoalView> {
  const goal = await db.goal.findUnique({ where: { id } });
  if (!goal) throw notFound('goal');
  return presentGoal(goal);
}

export async function listGoals(
  scope: Scope,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await scope.db.prisma.goal.findMany({
    where: { companyId: scope.companyId, ...after },
    omit: { description: true },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentGoalSummary, newestCursor);
}
