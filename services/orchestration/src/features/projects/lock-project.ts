import type { Tx } from '@switchyard/db';

/** What changes a project, its goals or its workspaces waits for whoever else does. */
export async function lockProject(tx: Tx, projectId: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM project WHERE id = ${projectId}::uuid FOR NO KEY UPDATE`;
}
