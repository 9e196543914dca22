import type { ListActivityQuery } from '@switchyard/types';
import type { Call } from '../../call';
import { newestCursor, newestFirst, page } from '../../lists/page';
import { presentActivity } from './present-activity';

export async function listActivities(call: Call, query: ListActivityQuery) {
  const { limit, cursor, ...filter } = query;
  const { after, orderBy, take } = newestFirst({ limit, cursor });
  const rows = await call.db.prisma.activity.findMany({
    where: { companyId: call.companyId, ...filter, ...after },
    orderBy,
    take,
  });
  return page(rows, limit, presentActivity, newestCursor);
}
