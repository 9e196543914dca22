import { ask, newId, statement } from '@switchyard/db';
import { insertActivity } from '../../kernel/activity';
import type { Tx } from '../../kernel/call';

export type HaltReason =
  | 'agent_paused'
  | 'agent_terminated'
  | 'company_paused'
  | 'company_archived'
  | 'agent_budget'
  | 'company_budget'
  | 'paused_budget'
  | 'cancelled';

export const END = {
  status: 'text',
  exitCode: 'int?',
  errorCode: 'text?',
  error: 'text?',
} as const;

/**
 * SQL: the only way to end waiting or running runs, as CTEs. `which` selects runs `r`; `ended`
 * contains their rows. Releases their issue locks, and records each end with `activityId` as the
 * id.
 */
export function endingSql(
  p: Readonly<Record<keyof typeof END, string>>,
  { which, activityId }: { which: string; activityId: string },
): string {
  return `
    ended AS (
      UPDATE heartbeat_run r SET status = ${p.status}, finished_at = clock_timestamp(),
        exit_code = ${p.exitCode}, error = ${p.error}, lease_expires_at = NULL,
        error_code = CASE WHEN ${p.status} = 'cancelled' THEN coalesce(r.cancel_reason, ${p.errorCode})
          ELSE ${p.errorCode} END,
        cancel_reason = CASE r.status WHEN 'queued' THEN ${p.errorCode} ELSE r.cancel_reason END,
        cancel_requested_at = CASE r.status WHEN 'queued' THEN clock_timestamp()
          ELSE r.cancel_requested_at END
      ${which}
      RETURNING r.id, r.company_id, r.agent_id, r.status, r.exit_code, r.error_code, r.error, r.cost_cents,
        coalesce(extract(epoch FROM r.finished_at - r.started_at) * 1000, 0)::bigint AS ran_for_ms,
        ${activityId} AS activity_id
    ), released AS (
      UPDATE issue held SET checkout_run_id = NULL, checked_out_at = NULL, updated_at = now()
      FROM ended WHERE held.checkout_run_id = ended.id
    ), recorded AS (${insertActivity(
      {
        activityId: 'activity_id',
        actorType: "'system'",
        actorId: 'NULL',
        actingRunId: 'id',
      },
      {
        action: { sql: "'heartbeat.' || status", entityType: 'heartbeat_run' },
        from: 'ended',
        companyId: 'company_id',
        entityId: 'id',
        details: `jsonb_build_object('agentId', agent_id, 'exitCode', exit_code,
          'errorCode', error_code)`,
      },
    )})`;
}

/**
 * Ends the waiting run of each agent. The caller holds the agents' row locks, so no claim can
 * intervene.
 */
export async function endWaitingRuns(
  tx: Tx<string | null>,
  agentIds: string[],
  reason: HaltReason,
  error: string | null = null,
): Promise<void> {
  const ended = await ask(tx, endWaiting, {
    agentIds,
    activityIds: agentIds.map(newId),
    status: 'cancelled',
    exitCode: null,
    errorCode: reason,
    error,
  });
  for (const { id, companyId } of ended) {
    tx.afterCommit(() => tx.context.metrics.runsFinished.inc({ status: 'cancelled' }));
    tx.announce(companyId);
    tx.announce(id);
  }
}

const endWaiting = statement('end-waiting-runs', {
  takes: { agentIds: 'uuid[]', activityIds: 'uuid[]', ...END },
  gives: { id: 'uuid', companyId: 'uuid' },
  sql: (p) => `
    WITH halted AS (
      SELECT * FROM unnest(${p.agentIds}, ${p.activityIds}) AS halted(agent_id, activity_id)
    ), ${endingSql(p, {
      which: `FROM halted WHERE r.agent_id = halted.agent_id AND r.status = 'queued'`,
      activityId: 'halted.activity_id',
    })}
    SELECT id, company_id AS "companyId" FROM ended`,
});
