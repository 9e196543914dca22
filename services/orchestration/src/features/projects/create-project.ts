import { newId } from '@switchyard/db';
import type { CreateProjectBody, ProjectDetailView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { assertTextFits } from '../../state/companies/text-quota';
import { assertRepository } from './assert-repository';
import { insertWorkspace } from './insert-workspace';
import { linkGoals } from './project-rows';
import { getProject } from './projects';

/**
 * Also creates `workspace` if it is set (spec, "Projects and workspaces").
 * @throws ApiError the errors of `assertRepository`
 */
export async function createProject(
  call: Call,
  body: CreateProjectBody,
): Promise<ProjectDetailView> {
  const { companyId } = call;
  const { goalIds = [], targetDate, workspace, ...fields } = body;
  const id = newId();
  return inTransaction(call, async (tx) => {
    if (workspace) await assertRepository(tx, null, workspace);
    await tx.prisma.project.create({
      data: { ...fields, targetDate: targetDate ? new Date(targetDate) : null, id, companyId },
    });
    await assertTextFits(tx);
    await linkGoals(tx, companyId, id, goalIds);
    const seed = workspace && (await insertWorkspace(tx, companyId, id, workspace));
    const project = await getProject(tx, id);
    await tx.record('project.created', id, {
      name: project.name,
      status: project.status,
      ...(seed && { workspaceId: seed.id }),
    });
    return project;
  });
}
