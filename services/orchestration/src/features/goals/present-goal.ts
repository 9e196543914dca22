import type { GoalModel } from '@switchyard/db';
import type { GoalView } from '@switchyard/types';

export function presentGoal(row: GoalModel): GoalView {
  return {
    id: row.id,
    companyId: row.companyId,
    title: row.title,
    description: row.description,
    level: row.level as GoalView['level'],
    status: row.status as GoalView['status'],
    parentId: row.parentId,
    ownerAgentId: row.ownerAgentId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
