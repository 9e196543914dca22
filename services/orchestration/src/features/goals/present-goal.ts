import type { GoalModel } from '@switchyard/db';
import type { GoalSummaryView, GoalView } from '@switchyard/types';

export function presentGoalSummary(row: Omit<GoalModel, 'description'>): GoalSummaryView {
  return {
    id: row.id,
    companyId: row.companyId,
    title: row.title,
    level: row.level as GoalSummaryView['level'],
    status: row.status as GoalSummaryView['status'],
    parentId: row.parentId,
    ownerAgentId: row.ownerAgentId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentGoal(row: GoalModel): GoalView {
  return { ...presentGoalSummary(row), description: row.description };
}
