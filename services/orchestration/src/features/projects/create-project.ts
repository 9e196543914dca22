import { inTransaction, newId } from '@switchyard/db';
import type { CreateProjectBody, ProjectDetailView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { assertRepository, type WorkspaceConfig } from './assert-repository';
import { insertWorkspace } from './insert-workspace';
import { linkGoals } from './link-goals';
import { getProject } from './projects';

/**
 * With `workspace` the project begins with it (spec, "Projects and workspaces").
 * @throws Refusal as `assertRepository` says of the workspace
 */
export async function createProject(
  scope: Scope,
  config: WorkspaceConfig,
  body: CreateProjectBody,
): Promise<ProjectDetailView> {
  const { companyId, actor, runId } = scope;
  const { goalIds = [], targetDate, workspace, ...fields } = body;
  const id = newId();
  return inTransaction(scope.db, async (tx) => {
    if (workspace) await assertRepository(tx, scope, config, null, workspace);
    await tx.project.create({
      data: { ...fields, targetDate: targetDate ? new Date(targetDate) : null, id, companyId },
    });
    await linkGoals(tx, companyId, id, goalIds);
    const seed = workspace && (await insertWorkspace(tx, companyId, id, workspace));
    const project = await getProject(tx, id);
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'project.created',
      entityType: 'project',
      entityId: id,
      details: {
        name: project.name,
        status: project.status,
        ...(seed && { workspaceId: seed.id }),
      },
    });
    return project;
  });
}
