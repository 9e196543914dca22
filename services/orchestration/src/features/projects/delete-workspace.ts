import { inTransaction, type Tx } from '@switchyard/db';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { lockProject } from './lock-project';

async function promoteOldest(tx: Tx, projectId: string): Promise<string | null> {
  const oldest = await tx.workspace.findFirst({
    where: { projectId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
  });
  if (!oldest) return null;
  await tx.workspace.update({ where: { id: oldest.id }, data: { isPrimary: true } });
  return oldest.id;
}

/** The oldest that remains takes the place of a deleted primary; one that is gone already is no error. */
export async function deleteWorkspace(
  scope: Scope,
  projectId: string,
  workspaceId: string,
): Promise<void> {
  const { companyId, actor, runId } = scope;
  await inTransaction(scope.db, async (tx) => {
    await lockProject(tx, projectId);
    const workspace = await tx.workspace.findUnique({ where: { id: workspaceId } });
    if (!workspace) return;
    await tx.workspace.delete({ where: { id: workspaceId } });
    const primaryId = workspace.isPrimary ? await promoteOldest(tx, projectId) : null;
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'workspace.deleted',
      entityType: 'workspace',
      entityId: workspaceId,
      details: { projectId, name: workspace.name, ...(primaryId && { primaryId }) },
    });
  });
}
