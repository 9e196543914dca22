import { inTransaction, type WorkspaceModel } from '@switchyard/db';
import { notFound, semantic } from '@switchyard/server';
import type { UpdateWorkspaceBody, WorkspaceView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { changedFields } from '../../changed-fields';
import { recordActivity } from '../activity/record-activity';
import { assertRepository, type WorkspaceConfig } from './assert-repository';
import { clearPrimary } from './insert-workspace';
import { lockProject } from './lock-project';
import { presentWorkspace } from './present-workspace';
import { workspaceColumns } from './workspace-columns';

function assertFits(before: WorkspaceModel, body: UpdateWorkspaceBody): void {
  const { cwd, repoUrl } = { ...before, ...body };
  if (cwd === null && repoUrl === null) {
    const field = body.cwd === null ? 'cwd' : 'repoUrl';
    throw semantic('semantic_error', 'a workspace needs cwd or repoUrl', { field });
  }
  if (before.isPrimary && body.isPrimary === false) {
    const text = 'a project always has a primary workspace: make another one primary instead';
    throw semantic('semantic_error', text, { field: 'isPrimary' });
  }
}

/**
 * Making a workspace primary unsets the one that is (contract, "Workspace").
 * @throws Refusal 404 when it was deleted meanwhile, 422 when it would stand nowhere (spec, "Project") or
 * the project would have no primary, and as `assertRepository` says
 */
export async function updateWorkspace(
  scope: Scope,
  config: WorkspaceConfig,
  projectId: string,
  workspaceId: string,
  body: UpdateWorkspaceBody,
): Promise<WorkspaceView> {
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    await lockProject(tx, projectId);
    const before = await tx.workspace.findUnique({ where: { id: workspaceId } });
    if (!before) throw notFound('workspace');
    assertFits(before, body);
    await assertRepository(tx, scope, config, before, body);
    const wanted = workspaceColumns(body);
    const changed = changedFields(before, wanted);
    if (changed.length === 0) return presentWorkspace(before);
    if (changed.includes('isPrimary')) await clearPrimary(tx, projectId);
    const after = await tx.workspace.update({ where: { id: workspaceId }, data: wanted });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'workspace.updated',
      entityType: 'workspace',
      entityId: workspaceId,
      details: { projectId, changed },
    });
    return presentWorkspace(after);
  });
}
