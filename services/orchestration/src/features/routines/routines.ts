import { notFound } from '@switchyard/server';
import type { RoutineView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { presentRoutine } from './present-routine';

const WITHOUT_SECRET = {
  secretVersion: true,
  secretKeyId: true,
  secretCiphertext: true,
} as const;

export async function getRoutine({ db }: Pick<Call, 'db'>, id: string): Promise<RoutineView> {
  const routine = await db.prisma.routine.findUnique({
    where: { id },
    include: {
      triggers: { omit: WITHOUT_SECRET, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
    },
  });
  if (!routine) throw notFound('routine');
  return presentRoutine(routine);
}
