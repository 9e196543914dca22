import { ask, type Client, statement, type Transaction } from '@switchyard/db';
import type { Tx } from '../../kernel/call';
import { lockAgents } from '../agents/lock-agent';
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
  await ask(tx, skipWakeups, { agentIds, reason });
}

export async function haltCompany(
  tx: Tx,
  reason: 'company_paused' | 'company_archived',
): Promise<void> {
  await haltRuns(tx, await lockAgents(tx, tx.companyId), reason);
}

/**
 * Requests the end of these agents' running runs, or of one run; the first reason is kept. The
 * request makes a detached run time out, so that a sweep ends it.
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

const skipWakeups = statement('skip-wakeups', {
  takes: { agentIds: 'uuid[]', reason: 'text' },
  gives: {},
  sql: ({ agentIds, reason }) => `
    UPDATE agent_wakeup SET status = 'skipped', skip_reason = ${reason}
    WHERE agent_id = ANY (${agentIds}) AND status = 'pending'`,
});

/** Cancels runs that were running during the backup; the worker that takes them over ends them. */
export async function cancelRestored(client: Client, reason: 'company_paused'): Promise<void> {
  await client.query({
    text: `UPDATE heartbeat_run SET cancel_requested_at = now(), cancel_reason = $1
      WHERE status = 'running' AND cancel_requested_at IS NULL`,
    values: [reason],
  });
}
