import type { WorkspaceModel } from '@switchyard/db';
import { notFound, unprocessable } from '@switchyard/server';
import type { UpdateWorkspaceBody, WorkspaceView } from '@switchyard/types';
import { assertMayChangeWorkspace } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { changedFields } from '../../state/changed-fields';
import { assertRepository } from './assert-repository';
import { clearPrimary } from './insert-workspace';
import { presentWorkspace } from './present-project';
import { lockProject } from './project-rows';
import { workspaceColumns } from './workspace-columns';

/**
 * If another workspace becomes primary, the previous primary workspace becomes an ordinary one
 * (docs/contract.md, "Goals and projects").
 * @throws ApiError 403 if an agent may not change it; 404 after a concurrent deletion; 422 if it
 * would have neither directory nor repository (spec, "Project") or the project would have no
 * primary workspace; the errors of `assertRepository`
 */
export async function updateWorkspace(
  call: Call,
  projectId: string,
  workspaceId: string,
  body: UpdateWorkspaceBody,
): Promise<WorkspaceView> {
  return inTransaction(call, async (tx) => {
    await lockProject(tx, projectId);
    const before = await tx.prisma.workspace.findUnique({ where: { id: workspaceId } });
    if (!before) throw notFound('workspace');
    assertFits(before, body);
    await assertRepository(tx, before, body);
    assertMayChangeWorkspace(tx, before);
    const wanted = workspaceColumns(body);
    const changed = changedFields(before, wanted);
    if (changed.length === 0) return presentWorkspace(before);
    if (changed.includes('isPrimary')) await clearPrimary(tx, projectId);
    const after = await tx.prisma.workspace.update({ where: { id: workspaceId }, data: wanted });
    await tx.record('workspace.updated', workspaceId, { projectId, changed });
    return presentWorkspace(after);
  });
}

function assertFits(before: WorkspaceModel, body: UpdateWorkspaceBody): void {
  const { cwd, repoUrl } = { ...before, ...body };
  if (cwd === null && repoUrl === null) {
    const field = body.cwd === null ? 'cwd' : 'repoUrl';
    throw unprocessable('semantic_error', 'a workspace must have cwd or repoUrl', { field });
  }
  if (before.isPrimary && body.isPrimary === false) {
    const text = 'a project must have a primary workspace: make another workspace primary instead';
    throw unprocessable('semantic_error', text, { field: 'isPrimary' });
  }
}
