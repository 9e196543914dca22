import type { Answer } from '@switchyard/server';
import type { Scope } from '../../access/actor';
import { decodeCursor, page } from '../../page';
import { presentRevision } from './present-revision';

/** Newest first by number: of two changes that waited for each other, times may stand the wrong way round. */
export async function listRevisions(
  scope: Scope,
  agentId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const cursor = decodeCursor(query.cursor, ['int']);
  const rows = await scope.db.prisma.agentConfigRevision.findMany({
    where: { agentId, ...(cursor && { revisionNumber: { lt: cursor[0] as number } }) },
    orderBy: { revisionNumber: 'desc' },
    take: query.limit + 1,
  });
  return page(rows, query.limit, presentRevision, (row) => [row.revisionNumber]);
}
