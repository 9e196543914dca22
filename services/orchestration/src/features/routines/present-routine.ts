import type { RoutineModel } from '@switchyard/db';
import type { RoutineSummaryView, RoutineView } from '@switchyard/types';
import { presentTrigger, type TriggerRow } from './present-trigger';

export function presentRoutineSummary(row: Omit<RoutineModel, 'description'>): RoutineSummaryView {
  return {
    id: row.id,
    companyId: row.companyId,
    title: row.title,
    assigneeAgentId: row.assigneeAgentId,
    projectId: row.projectId,
    goalId: row.goalId,
    parentIssueId: row.parentIssueId,
    priority: row.priority as RoutineSummaryView['priority'],
    status: row.status as RoutineSummaryView['status'],
    concurrencyPolicy: row.concurrencyPolicy as RoutineSummaryView['concurrencyPolicy'],
    catchUpPolicy: row.catchUpPolicy as RoutineSummaryView['catchUpPolicy'],
    createdByAgentId: row.createdByAgentId,
    createdByUserId: row.createdByUserId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentRoutine(row: RoutineModel & { triggers: TriggerRow[] }): RoutineView {
  return {
    ...presentRoutineSummary(row),
    description: row.description,
    triggers: row.triggers.map(presentTrigger),
  };
}
