import type { ActivityModel } from '@switchyard/db';
import type { ActivityView } from '@switchyard/types';

export function presentActivity(row: Omit<ActivityModel, 'sequence'>): ActivityView {
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
