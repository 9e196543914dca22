import type { CreateWorkspaceBody, WorkspaceView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { assertRepository } from './assert-repository';
import { insertWorkspace } from './insert-workspace';
import { presentWorkspace } from './present-project';
import { lockProject } from './project-rows';

export async function addWorkspace(
  call: Call,
  projectId: string,
  body: CreateWorkspaceBody,
): Promise<WorkspaceView> {
  const { companyId } = call;
  return inTransaction(call, async (tx) => {
    await lockProject(tx, projectId);
    await assertRepository(tx, null, body);
    const workspace = await insertWorkspace(tx, companyId, projectId, body);
    const { id, name, isPrimary } = workspace;
    await tx.record('workspace.created', id, { projectId, name, isPrimary });
    return presentWorkspace(workspace);
  });
}
