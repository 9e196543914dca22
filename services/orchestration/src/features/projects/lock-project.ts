import type { Transaction } from '@switchyard/db';

/** What changes a project, its goals or its workspaces waits for whoever else does. */
export async function lockProject(tx: Transaction, projectId: string): Promise<void> {
  await tx.prisma.$queryRaw`SELECT 1 FROM project WHERE id = ${projectId}::uuid FOR NO KEY UPDATE`;
}
