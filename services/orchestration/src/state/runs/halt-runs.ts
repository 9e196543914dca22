import { ask, statement, type Transaction } from '@switchyard/db';
import type { Tx } from '../../call';
import { skipWakeupsOf } from '../wakeups/wakeups';
import { endWaitingRuns, type HaltReason } from './ending';

/**
 * The boundary that pause, terminate and archive are: what waits is cancelled now and never starts, also not after a
 * resume; what runs is told to stop at its next lease renewal. The caller holds the row locks of the agents, so no claim
 * can slip between.
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
 * Asks what runs for these agents to stop, or one run of theirs; the first reason stays. What no worker holds has no more
 * time, so that a sweep ends it.
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
