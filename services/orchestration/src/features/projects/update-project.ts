import type { ProjectDetailView, UpdateProjectBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { changedFields } from '../../state/changed-fields';
import { assertTextFits } from '../../state/companies/text-quota';
import { linkGoals, lockProject } from './project-rows';
import { getProject } from './projects';

export async function updateProject(
  call: Call,
  projectId: string,
  body: UpdateProjectBody,
): Promise<ProjectDetailView> {
  const { companyId } = call;
  const { goalIds, targetDate, ...fields } = body;
  return inTransaction(call, async (tx) => {
    await lockProject(tx, projectId);
    const before = await getProject(tx, projectId);
    const changed = changedFields(before, body);
    if (changed.length === 0) return before;
    const now = call.context.clock.now();
    await tx.prisma.project.update({
      where: { id: projectId },
      data: { ...fields, targetDate: targetDate && new Date(targetDate), updatedAt: now },
    });
    if (changed.includes('name') || changed.includes('description')) await assertTextFits(tx);
    if (goalIds) await linkGoals(tx, companyId, projectId, goalIds);
    const after = await getProject(tx, projectId);
    const { status: from } = before;
    const { status: to } = after;
    await tx.record('project.updated', projectId, { changed, ...(from !== to && { from, to }) });
    return after;
  });
}
