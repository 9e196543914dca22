import { notFound } from '@switchyard/server';
import type { GoalView } from '@switchyard/types';
import type { Call } from '../../call';
import { newestCursor, newestFirst, page } from '../../lists/page';
import { presentGoal, presentGoalSummary } from './present-goal';

/** @throws ApiError 404 */
export async function getGoal({ db }: Pick<Call, 'db'>, goalId: string): Promise<GoalView> {
  const goal = await db.prisma.goal.findUnique({ where: { id: goalId } });
  if (!goal) throw notFound('goal');
  return presentGoal(goal);
}

/** Without their descriptions, which may be large. */
export async function listGoals(call: Call, query: { limit: number; cursor?: string | undefined }) {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await call.db.prisma.goal.findMany({
    where: { companyId: call.companyId, ...after },
    omit: { description: true },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentGoalSummary, newestCursor);
}
