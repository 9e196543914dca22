import type { ActivityModel } from '@switchyard/db';
import type { Answer } from '@switchyard/server';
import type { ActivityView, ListActivityQuery } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { newestCursor, newestFirst, page } from '../../page';

function presentActivity(row: Omit<ActivityModel, 'sequence'>): ActivityView {
  return {
    id: row.id,
    companyId: row.companyId,
    actorType: row.actorType as ActivityView['actorType'],
    actorId: row.actorId,
    runId: row.runId,
    action: row.action,
    entityType: row.entityType,
    entityId: row.entityId,
    details: row.details as Record<string, unknown>,
    createdAt: row.createdAt.toISOString(),
  };
}

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
