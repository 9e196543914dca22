import type { RoutineModel } from '@switchyard/db';
import type { RoutineView } from '@switchyard/types';
import { presentTrigger, type TriggerRow } from './present-trigger';

export function presentRoutine(row: RoutineModel & { triggers: TriggerRow[] }): RoutineView {
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
