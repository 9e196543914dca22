import type { ProjectModel, WorkspaceModel } from '@switchyard/db';
import type { ProjectDetailView, ProjectSummaryView } from '@switchyard/types';
import { presentWorkspace } from './present-workspace';

export type ProjectSummaryRow = Omit<ProjectModel, 'description'> & { goals: { goalId: string }[] };
export type ProjectDetailRow = ProjectSummaryRow &
  Pick<ProjectModel, 'description'> & { workspaces: WorkspaceModel[] };

export function presentProjectSummary(row: ProjectSummaryRow): ProjectSummaryView {
  return {
    id: row.id,
    companyId: row.companyId,
    name: row.name,
    goalIds: row.goals.map((goal) => goal.goalId),
    status: row.status as ProjectSummaryView['status'],
    leadAgentId: row.leadAgentId,
    targetDate: row.targetDate?.toISOString().slice(0, 10) ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentProject(row: ProjectDetailRow): ProjectDetailView {
  return {
    ...presentProjectSummary(row),
    description: row.description,
    workspaces: row.workspaces.map(presentWorkspace),
  };
}
