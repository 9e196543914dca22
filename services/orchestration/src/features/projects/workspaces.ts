import type { Call } from '../../kernel/call';
import { newestCursor, newestFirst, page } from '../../lists/page';
import { presentWorkspace } from './present-project';

export async function listWorkspaces(
  call: Call,
  projectId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await call.db.prisma.workspace.findMany({
    where: { companyId: call.companyId, projectId, ...after },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentWorkspace, newestCursor);
}
