import { newId, type WorkspaceModel } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import type { CreateWorkspaceBody } from '@switchyard/types';
import { assertMayReplacePrimary } from '../../access/rules';
import { createdBy } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import { workspaceColumns, workspaceName } from './workspace-columns';

/**
 * Adds a workspace to a project whose lock the caller holds. The first workspace always becomes
 * primary.
 * @throws ApiError 422 beyond 200 workspaces, 403 for an agent that would replace the board's
 * primary workspace
 */
export async function insertWorkspace(
  tx: Tx,
  companyId: string,
  projectId: string,
  body: CreateWorkspaceBody,
): Promise<WorkspaceModel> {
  const { cwd = null, repoUrl = null } = body;
  const present = await tx.prisma.workspace.findMany({
    where: { projectId },
    select: { isPrimary: true },
  });
  if (present.length >= MAX_WORKSPACES) {
    const text = `a project may have at most ${MAX_WORKSPACES} workspaces`;
    throw unprocessable('semantic_error', text, { limit: MAX_WORKSPACES });
  }
  if (body.isPrimary) await clearPrimary(tx, projectId);
  return tx.prisma.workspace.create({
    data: {
      ...workspaceColumns(body),
      id: newId(),
      companyId,
      projectId,
      name: body.name ?? workspaceName(cwd, repoUrl),
      createdByAgentId: createdBy(tx).createdByAgentId,
      isPrimary: body.isPrimary || !present.some((workspace) => workspace.isPrimary),
    },
  });
}

const MAX_WORKSPACES = 200;

/**
 * The caller holds the project's lock, which prevents two primary workspaces.
 * @throws ApiError 403 `board_only`
 */
export async function clearPrimary(tx: Tx, projectId: string): Promise<void> {
  const primary = await tx.prisma.workspace.findFirst({ where: { projectId, isPrimary: true } });
  if (!primary) return;
  assertMayReplacePrimary(tx, primary);
  await tx.prisma.workspace.update({ where: { id: primary.id }, data: { isPrimary: false } });
}
