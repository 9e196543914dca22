import type { Transaction } from '@switchyard/db';
import { assertMayChangeWorkspace } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { lockProject } from './project-rows';

export async function deleteWorkspace(
  call: Call,
  projectId: string,
  workspaceId: string,
): Promise<void> {
  await inTransaction(call, async (tx) => {
    await lockProject(tx, projectId);
    const workspace = await tx.prisma.workspace.findUnique({ where: { id: workspaceId } });
    if (!workspace) return;
    assertMayChangeWorkspace(tx, workspace);
    await tx.prisma.workspace.delete({ where: { id: workspaceId } });
    const primaryId = workspace.isPrimary ? await promoteOldest(tx, projectId) : null;
    await tx.record('workspace.deleted', workspaceId, {
      projectId,
      name: workspace.name,
      ...(primaryId && { primaryId }),
    });
  });
}

async function promoteOldest(tx: Transaction, projectId: string): Promise<string | null> {
  const oldest = await tx.prisma.workspace.findFirst({
    where: { projectId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
  });
  if (!oldest) return null;
  await tx.prisma.workspace.update({ where: { id: oldest.id }, data: { isPrimary: true } });
  return oldest.id;
}
