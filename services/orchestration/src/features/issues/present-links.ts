import type { GoalModel, ProjectModel } from '@switchyard/db';
import type {
  LinkedGoalSummaryView,
  LinkedGoalView,
  LinkedProjectSummaryView,
  LinkedProjectView,
} from '@switchyard/types';

export function presentGoalSummary(row: Omit<GoalModel, 'description'>): LinkedGoalSummaryView {
  return {
    id: row.id,
    companyId: row.companyId,
    title: row.title,
    level: row.level as LinkedGoalSummaryView['level'],
    status: row.status as LinkedGoalSummaryView['status'],
    parentId: row.parentId,
    ownerAgentId: row.ownerAgentId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentGoal(row: GoalModel): LinkedGoalView {
  return { ...presentGoalSummary(row), description: row.description };
}

export function presentProjectSummary(
  row: Omit<ProjectModel, 'description'>,
): LinkedProjectSummaryView {
  return {
    id: row.id,
    companyId: row.companyId,
    name: row.name,
    status: row.status as LinkedProjectSummaryView['status'],
    leadAgentId: row.leadAgentId,
    targetDate: row.targetDate?.toISOString().slice(0, 10) ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentProject(
  row: ProjectModel & { goals: { goalId: string }[] },
): LinkedProjectView {
  return {
    ...presentProjectSummary(row),
    description: row.description,
    goalIds: row.goals.map((goal) => goal.goalId),
  };
}
