import type { Reader } from '@switchyard/db';
import { type Answer, notFound } from '@switchyard/server';
import type { HeartbeatRunView, ListRunsQuery } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { newestCursor, newestFirst, page } from '../../page';
import { presentRun } from './present-run';

export async function getRun(db: Reader, id: string): Promise<HeartbeatRunView> {
  const run = await db.heartbeatRun.findUnique({ where: { id } });
  if (!run) throw notFound('heartbeat run');
  return presentRun(run);
}

export async function listRuns(scope: Scope, query: ListRunsQuery): Promise<Answer> {
  const { limit, cursor, agentId, issueId, status } = query;
  const { after, orderBy, take } = newestFirst({ limit, cursor });
  const rows = await scope.db.prisma.heartbeatRun.findMany({
    where: {
      companyId: scope.companyId,
      ...(agentId && { agentId }),
      ...(issueId && { issueId }),
      ...(status && { status: { in: status } }),
      ...after,
    },
    orderBy,
    take,
  });
  return page(rows, limit, presentRun, newestCursor);
}
