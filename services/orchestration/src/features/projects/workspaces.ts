import type { Answer } from '@switchyard/server';
import type { Scope } from '../../access/actor';
import { newestCursor, newestFirst, page } from '../../page';
import { presentWorkspace } from './present-workspace';

export async function listWorkspaces(
  scope: Scope,
  projectId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await scope.db.prisma.workspace.findMany({
    where: { companyId: scope.companyId, projectId, ...after },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentWorkspace, newestCursor);
}
