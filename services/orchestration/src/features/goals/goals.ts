import { notFound, type Reply } from '@switchyard/server';
import type { GoalView, ListedGoalView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { newestFirstList } from '../../lists/newest-first';
import { agentName, excerpt, presentIssueCounts, servingIssueCounts } from '../../lists/row-facts';
import { GOAL_SUMMARY } from './goal-columns';
import { presentGoal } from './present-goal';

export async function getGoal({ db }: Pick<Call, 'db'>, goalId: string): Promise<GoalView> {
  const goal = await db.prisma.goal.findUnique({ where: { id: goalId } });
  if (!goal) throw notFound('goal');
  return presentGoal(goal);
}

export function listGoals(
  { db, companyId }: Call,
  query: { limit: number; cursor?: string | undefined },
): Promise<Reply<ListedGoalView[]>> {
  return readGoals(db, { ...query, companyId });
}

const readGoals = newestFirstList(
  'list-goals',
  {
    table: 'goal',
    gives: GOAL_SUMMARY,
    derived: {
      ownerName: ['text?', agentName('listed.owner_agent_id')],
      descriptionExcerpt: ['text?', excerpt('listed.description')],
      childCount: [
        'int',
        `(SELECT count(*)::int FROM goal child
          WHERE child.company_id = listed.company_id AND child.parent_id = listed.id)`,
      ],
      issueCounts: ['json?', servingIssueCounts('listed')],
    },
  },
  (row) => ({ ...row, issueCounts: presentIssueCounts(row.issueCounts) }) as ListedGoalView,
);

export const readGoalRows = readGoals.byIds;
