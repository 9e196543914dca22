import type { ProjectModel, WorkspaceModel } from '@switchyard/db';
import type { ProjectDetailView, WorkspaceView } from '@switchyard/types';

type ProjectRow = ProjectModel & { goals: { goalId: string }[]; workspaces: WorkspaceModel[] };

export function presentProject(row: ProjectRow): ProjectDetailView {
  return {
    id: row.id,
    companyId: row.companyId,
    name: row.name,
    description: row.description,
    goalIds: row.goals.map((goal) => goal.goalId),
    status: row.status as ProjectDetailView['status'],
    leadAgentId: row.leadAgentId,
    targetDate: row.targetDate?.toISOString().slice(0, 10) ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
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
