import type { WorkspaceModel } from '@switchyard/db';
import type { WorkspaceView } from '@switchyard/types';

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
