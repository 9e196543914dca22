import { newId, type Transaction, type WorkspaceModel } from '@switchyard/db';
import { unprocessable } from '@switchyard/server';
import type { CreateWorkspaceBody } from '@switchyard/types';
import { workspaceColumns, workspaceName } from './workspace-columns';

/**
 * Adds a workspace to a project whose lock the caller holds. The first is primary, whatever it asks for.
 * @throws ApiError 422 beyond 200 workspaces
 */
export async function insertWorkspace(
  tx: Transaction,
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
    const text = `a project has at most ${MAX_WORKSPACES} workspaces`;
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
      isPrimary: body.isPrimary || !present.some((workspace) => workspace.isPrimary),
    },
  });
}

/** A project's response carries all of its workspaces, so their number is bounded. */
const MAX_WORKSPACES = 200;

/** The caller holds the project's lock, so that there is never more than one primary. */
export async function clearPrimary(tx: Transaction, projectId: string): Promise<void> {
  await tx.prisma.workspace.updateMany({
    where: { projectId, isPrimary: true },
    data: { isPrimary: false },
  });
}
