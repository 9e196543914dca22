import { inTransaction } from '@switchyard/db';
import type { ProjectDetailView, UpdateProjectBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { changedFields } from '../../changed-fields';
import { recordActivity } from '../activity/record-activity';
import { linkGoals } from './link-goals';
import { lockProject } from './lock-project';
import { getProject } from './projects';

/** `goalIds` replaces all links. Any status may follow any other: the specification shows no transitions. */
export async function updateProject(
  scope: Scope,
  projectId: string,
  body: UpdateProjectBody,
): Promise<ProjectDetailView> {
  const { companyId, actor, runId } = scope;
  const { goalIds, targetDate, ...fields } = body;
  return inTransaction(scope.db, async (tx) => {
    await lockProject(tx, projectId);
    const before = await getProject(tx, projectId);
    const changed = changedFields(before, body);
    if (changed.length === 0) return before;
    await tx.project.update({
      where: { id: projectId },
      // Written by hand, because Prisma writes nothing when only the goals change.
      data: { ...fields, targetDate: targetDate && new Date(targetDate), updatedAt: new Date() },
    });
    if (goalIds) await linkGoals(tx, companyId, projectId, goalIds);
    const after = await getProject(tx, projectId);
    const { status: from } = before;
    const { status: to } = after;
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'project.updated',
      entityType: 'project',
      entityId: projectId,
      details: { changed, ...(from !== to && { from, to }) },
    });
    return after;
  });
}
