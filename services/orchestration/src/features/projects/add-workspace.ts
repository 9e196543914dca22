import { inTransaction } from '@switchyard/db';
import type { CreateWorkspaceBody, WorkspaceView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { assertRepository, type WorkspaceConfig } from './assert-repository';
import { insertWorkspace } from './insert-workspace';
import { lockProject } from './lock-project';
import { presentWorkspace } from './present-workspace';

/** @throws Refusal 422 when the project has as many as it may, and as `assertRepository` says */
export async function addWorkspace(
  scope: Scope,
  config: WorkspaceConfig,
  projectId: string,
  body: CreateWorkspaceBody,
): Promise<WorkspaceView> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    await lockProject(tx, projectId);
    await assertRepository(tx, scope, config, null, body);
    const workspace = await insertWorkspace(tx, companyId, projectId, body);
    const { id, name, isPrimary } = workspace;
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'workspace.created',
      entityType: 'workspace',
      entityId: id,
      details: { projectId, name, isPrimary },
    });
    return presentWorkspace(workspace);
  });
}
