import type { RoutineModel } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { RoutineView } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import { presentTrigger, type TriggerRow } from './present-trigger';

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

function presentRoutine(row: RoutineModel & { triggers: TriggerRow[] }): RoutineView {
  return {
    id: row.id,
    companyId: row.companyId,
    title: row.title,
    description: row.description,
    assigneeAgentId: row.assigneeAgentId,
    projectId: row.projectId,
    goalId: row.goalId,
    parentIssueId: row.parentIssueId,
    priority: row.priority as RoutineView['priority'],
    status: row.status as RoutineView['status'],
    concurrencyPolicy: row.concurrencyPolicy as RoutineView['concurrencyPolicy'],
    catchUpPolicy: row.catchUpPolicy as RoutineView['catchUpPolicy'],
    createdByAgentId: row.createdByAgentId,
    createdByUserId: row.createdByUserId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    triggers: row.triggers.map(presentTrigger),
  };
}
