import { ask, statement, type Transaction } from '@switchyard/db';
import type { Tx } from '../../kernel/call';
import { skipWakeupsOf } from '../wakeups/wakeups';
import { endWaitingRuns, type HaltReason } from './ending';

/**
 * Stops runs on pause, termination and archiving: cancels waiting runs permanently, and stops
 * running ones at their next lease renewal. The caller holds the agents' row locks, so no claim can
 * intervene.
 */
export async function haltRuns(
  tx: Tx<string | null>,
  agentIds: string[],
  reason: HaltReason,
): Promise<void> {
  await endWaitingRuns(tx, agentIds, reason);
  await requestCancel(tx, agentIds, reason);
  await skipWakeupsOf(tx, agentIds, reason);
}

/**
 * Requests the end of these agents' running runs, or of one run; the first reason stays. A detached
 * run times out, so that a sweep ends it.
 */
export async function requestCancel(
  tx: Transaction,
  agentIds: string[],
  reason: HaltReason,
  runId: string | null = null,
): Promise<void> {
  await ask(tx, requestCancels, { agentIds, reason, runId });
}

const requestCancels = statement('request-cancel', {
  takes: { agentIds: 'uuid[]', reason: 'text', runId: 'uuid?' },
  gives: {},
  sql: ({ agentIds, reason, runId }) => `
    UPDATE heartbeat_run SET cancel_requested_at = clock_timestamp(), cancel_reason = ${reason},
      lease_expires_at = CASE WHEN is_detached THEN clock_timestamp() ELSE lease_expires_at END
    WHERE agent_id = ANY (${agentIds}) AND status = 'running' AND cancel_requested_at IS NULL
      AND (${runId} IS NULL OR id = ${runId})`,
});
