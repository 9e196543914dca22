import type { Reader } from '@switchyard/db';
import { type Answer, notFound } from '@switchyard/server';
import type { RoutineView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { newestCursor, newestFirst, page } from '../../page';
import { presentRoutine, presentRoutineSummary } from './present-routine';

/** The columns that hold a secret stay where they are. */
export const WITHOUT_SECRET = {
  secretVersion: true,
  secretKeyId: true,
  secretCiphertext: true,
} as const;

export async function getRoutine(db: Reader, id: string): Promise<RoutineView> {
  const routine = await db.routine.findUnique({
    where: { id },
    include: {
      triggers: { omit: WITHOUT_SECRET, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
    },
  });
  if (!routine) throw notFound('routine');
  return presentRoutine(routine);
}

export async function listRoutines(
  scope: Scope,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await scope.db.prisma.routine.findMany({
    where: { companyId: scope.companyId, ...after },
    omit: { description: true },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentRoutineSummary, newestCursor);
}
