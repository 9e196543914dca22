import type { ProjectModel, WorkspaceModel } from '@switchyard/db';
import type { ProjectDetailView, ProjectSummaryView, WorkspaceView } from '@switchyard/types';

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

export function presentWorkspace(row: WorkspaceModel): WorkspaceView {
  return {
    id: row.id,
    companyId: row.companyId,
    projectId: row.projectId,
    name: row.name,
    cwd: row.cwd,
    repoUrl: row.repoUrl,
    repoRef: row.repoRef,
    repoCredential: row.repoSecretId
      ? {
          type: 'secret_ref',
          secretId: row.repoSecretId,
          version: row.repoSecretVersion ?? 'latest',
        }
      : null,
    isPrimary: row.isPrimary,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
