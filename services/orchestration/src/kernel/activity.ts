import { announce, ask, type Database, newId, statement } from '@switchyard/db';
import { type Actor, actorColumns } from './actor';

export interface ActivityEntry {
  companyId: string;
  actor: Actor;
  runId?: string | null;
  action: string;
  entityType?: string;
  entityId: string;
  details?: Record<string, unknown> | undefined;
}

export async function recordActivities(
  db: Database,
  entries: readonly ActivityEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  await ask(db, insertActivities, { entries: entries.map(rowOf) });
  for (const { companyId } of entries) announce(db, companyId);
}

const insertActivities = statement('insert-activities', {
  takes: { entries: 'json' },
  gives: {},
  sql: ({ entries }) => `
    INSERT INTO activity
      (id, company_id, actor_type, actor_id, run_id, action, entity_type, entity_id, details)
    SELECT id, company_id, actor_type, actor_id, run_id, action, entity_type, entity_id, details
    FROM jsonb_to_recordset(${entries}) AS entry (id uuid, company_id uuid, actor_type text, actor_id text,
      run_id uuid, action text, entity_type text, entity_id text, details jsonb)`,
});

function rowOf({ companyId, actor, runId = null, action, entityId, ...rest }: ActivityEntry) {
  const { actorType, actorId } = actorColumns(actor);
  return {
    id: newId(),
    company_id: companyId,
    actor_type: actorType,
    actor_id: actorId,
    run_id: runId,
    action,
    entity_type: rest.entityType ?? entityTypeOf(action),
    entity_id: entityId,
    details: rest.details ?? {},
  };
}

function entityTypeOf(action: string): string {
  const entity = action.slice(0, action.indexOf('.'));
  return entity === 'heartbeat' ? 'heartbeat_run' : entity;
}

export const ACTIVITY_VIEW = {
  id: 'uuid',
  companyId: 'uuid',
  actorType: 'text',
  actorId: 'text?',
  runId: 'uuid?',
  action: 'text',
  entityType: 'text',
  entityId: 'text',
  details: 'json',
  createdAt: 'time',
} as const;

/** Parameters of a statement with `insertActivity`; `activityOf` returns their values. */
export const ACTIVITY = {
  activityId: 'uuid',
  actorType: 'text',
  actorId: 'text?',
  actingRunId: 'uuid?',
} as const;

export function activityOf({ actor, runId }: { actor: Actor; runId: string | null }) {
  return { activityId: newId(), ...actorColumns(actor), actingRunId: runId };
}

/**
 * Returns a CTE that inserts the statement's activity: one round trip, and no change without a
 * record. `entityId`, `companyId` and `details` are SQL over the rows of `from`. The caller
 * announces the company afterwards.
 */
export function insertActivity(
  p: Readonly<Record<keyof typeof ACTIVITY, string>>,
  {
    action,
    from,
    ...row
  }: {
    action: string | { sql: string; entityType: string };
    from: string;
    companyId: string;
    entityId: string;
    details: string;
  },
): string {
  const [verb, entityType] =
    typeof action === 'string'
      ? [`'${action}'`, entityTypeOf(action)]
      : [action.sql, action.entityType];
  return `INSERT INTO activity
    (id, company_id, actor_type, actor_id, run_id, action, entity_type, entity_id, details)
    SELECT ${p.activityId}, ${row.companyId}, ${p.actorType}, ${p.actorId}, ${p.actingRunId},
      ${verb}, '${entityType}', (${row.entityId})::text, ${row.details} FROM ${from}`;
}
