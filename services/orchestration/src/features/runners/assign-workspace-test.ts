import { ask, statement } from '@switchyard/db';
import type { CheckAssignment } from '@switchyard/types';
import type { Context } from '../../kernel/context';
import type { ClaimedCheck } from '../checks/claim-checks';
import { openRepository } from '../runs/execute/working-directory';

/**
 * Omits the agent's environment; null if the workspace no longer exists.
 * @throws CannotStart if the credential is unavailable
 */
export async function assignWorkspaceTest(
  context: Context,
  { id: checkId, agentId, companyId, workspaceId }: ClaimedCheck & { workspaceId: string },
): Promise<CheckAssignment | null> {
  const [workspace] = await ask(context.db, readWorkspace, { workspaceId });
  if (!workspace) return null;
  const { credential, secrets } = await openRepository(context, { companyId, workspace });
  const { projectId, cwd, repoUrl, repoRef } = workspace;
  return {
    checkId,
    companyId,
    agentId,
    adapterType: '',
    config: {},
    environment: {},
    secrets,
    workspace: null,
    testedWorkspace: { projectId, cwd, repoUrl, repoRef, credential },
  };
}

const readWorkspace = statement('read-workspace-to-test', {
  takes: { workspaceId: 'uuid' },
  gives: {
    projectId: 'uuid',
    cwd: 'text?',
    repoUrl: 'text?',
    repoRef: 'text?',
    repoSecretId: 'uuid?',
    repoSecretVersion: 'int?',
  },
  sql: ({ workspaceId }) => `
    SELECT project_id AS "projectId", cwd, repo_url AS "repoUrl", repo_ref AS "repoRef",
      repo_secret_id AS "repoSecretId", repo_secret_version AS "repoSecretVersion"
    FROM workspace WHERE id = ${workspaceId}`,
});
