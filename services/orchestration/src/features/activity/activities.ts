import type { Answer } from '@switchyard/server';
import type { ListActivityQuery } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { newestCursor, newestFirst, page } from '../../page';
import { presentActivity } from './present-activity';

export async function listActivities(scope: Scope, query: ListActivityQuery): Promise<Answer> {
  const { limit, cursor, ...filter } = query;
  const { after, orderBy, take } = newestFirst({ limit, cursor });
  const rows = await scope.db.prisma.activity.findMany({
    where: { companyId: scope.companyId, ...filter, ...after },
    orderBy,
    take,
  });
  return page(rows, limit, presentActivity, newestCursor);
}
