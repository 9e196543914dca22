import type { Prisma } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { ProjectDetailView } from '@switchyard/types';
import type { Call } from '../../call';
import { newestCursor, newestFirst, page } from '../../lists/page';
import { presentProject, presentProjectSummary } from './present-project';

/** @throws ApiError 404 */
export async function getProject(
  { db }: Pick<Call, 'db'>,
  projectId: string,
): Promise<ProjectDetailView> {
  const where = { id: projectId };
  const project = await db.prisma.project.findUnique({ where, include: PROJECT_DETAIL });
  if (!project) throw notFound('project');
  return presentProject(project);
}

export async function listProjects(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await call.db.prisma.project.findMany({
    where: { companyId: call.companyId, ...after },
    omit: { description: true },
    include: PROJECT_SUMMARY,
    // A statement of its own for the goals leaves this one in the order of its index.
    relationLoadStrategy: 'query',
    orderBy,
    take,
  });
  return page(rows, query.limit, presentProjectSummary, newestCursor);
}

const GOALS = { select: { goalId: true }, orderBy: { position: 'asc' } } as const;

/** What `presentProjectSummary` needs beside the row. */
export const PROJECT_SUMMARY = { goals: GOALS } satisfies Prisma.ProjectInclude;

/** What `presentProject` needs beside the row. */
export const PROJECT_DETAIL = {
  goals: GOALS,
  workspaces: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] },
} satisfies Prisma.ProjectInclude;
