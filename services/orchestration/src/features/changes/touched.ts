import { isId } from '@switchyard/db';
import type { ActivityView, ChangedEntityType } from '@switchyard/types';

export type Touched = Map<ChangedEntityType, Set<string>>;

export interface RowName {
  entityType: ChangedEntityType;
  entityId: string;
}

export function touchedBy({ companyId, entityType, entityId, action, details }: ActivityView) {
  const names: RowName[] = [];
  const add = (type: ChangedEntityType, id: unknown) => {
    if (typeof id === 'string' && isId(id)) names.push({ entityType: type, entityId: id });
  };
  if (isShown(entityType)) add(entityType, entityId);
  for (const [field, type] of NAMED_BY) add(type, details[field]);
  if (SPENDS.test(action)) add('company', companyId);
  return names;
}

export const keyOf = ({ entityType, entityId }: RowName) => `${entityType} ${entityId}`;

export function collect(names: Iterable<RowName>): Touched {
  const touched: Touched = new Map();
  for (const { entityType, entityId } of names) {
    const ids = touched.get(entityType) ?? new Set();
    touched.set(entityType, ids.add(entityId));
  }
  return touched;
}

const SHOWN: Record<ChangedEntityType, true> = {
  agent: true,
  approval: true,
  company: true,
  goal: true,
  heartbeat_run: true,
  issue: true,
  project: true,
  routine: true,
};

const isShown = (type: string): type is ChangedEntityType => Object.hasOwn(SHOWN, type);

const NAMED_BY: readonly [field: string, type: ChangedEntityType][] = [
  ['agentId', 'agent'],
  ['approvalId', 'approval'],
  ['byRunId', 'heartbeat_run'],
  ['goalId', 'goal'],
  ['issueId', 'issue'],
  ['projectId', 'project'],
  ['routineId', 'routine'],
  ['runId', 'heartbeat_run'],
];

const SPENDS = /^(?:(?:cost_event|budget)\.|heartbeat\.(?:succeeded|failed|timed_out|cancelled)$)/;
