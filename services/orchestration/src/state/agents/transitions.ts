import { ask, statement } from '@switchyard/db';
import { recordActivities } from '../../kernel/activity';
import { SYSTEM } from '../../kernel/actor';
import type { Tx } from '../../kernel/call';
import type { LockedAgent } from './lock-agent';

export type PauseReason = 'manual' | 'budget' | 'failures';

export async function writePause(tx: Tx, id: string, reason: PauseReason): Promise<void> {
  await ask(tx, pauseById, { id, reason });
}

/**
 * Uses `clock_timestamp()` under the lock, so that `paused_at` is later than every start that
 * precedes the pause.
 */
const pauseById = statement('pause-agent', {
  takes: { id: 'uuid', reason: 'text' },
  gives: {},
  sql: ({ id, reason }) => `
    UPDATE agent SET status = 'paused', pause_reason = ${reason}, paused_at = clock_timestamp(),
      updated_at = now()
    WHERE id = ${id}`,
});

export async function resumeAgent(
  tx: Tx,
  { id, status, pauseReason }: Pick<LockedAgent, 'id' | 'status' | 'pauseReason'>,
): Promise<void> {
  await ask(tx, writeResume, { id, forgets: true });
  await tx.record('agent.resumed', id, { from: status, reason: pauseReason });
}

export async function liftBudgetPause(
  tx: Tx,
  { id, companyId }: Pick<LockedAgent, 'id' | 'companyId'>,
): Promise<void> {
  await ask(tx, writeResume, { id, forgets: false });
  const details = { from: 'paused', reason: 'budget' };
  const entry = { companyId, actor: SYSTEM, action: 'agent.resumed', entityId: id, details };
  await recordActivities(tx, [entry]);
}

const writeResume = statement('resume-agent', {
  takes: { id: 'uuid', forgets: 'bool' },
  gives: {},
  sql: ({ id, forgets }) => `
    UPDATE agent SET
      status = CASE WHEN EXISTS (
        SELECT 1 FROM heartbeat_run WHERE agent_id = ${id} AND status = 'running'
      ) THEN 'running' ELSE 'idle' END,
      pause_reason = NULL, paused_at = NULL,
      error_reason = CASE WHEN ${forgets} THEN NULL ELSE error_reason END,
      consecutive_failures = CASE WHEN ${forgets} THEN 0 ELSE consecutive_failures END,
      updated_at = now()
    WHERE id = ${id}`,
});

export async function writeTermination(tx: Tx, id: string): Promise<void> {
  await ask(tx, terminateById, { id });
}

const terminateById = statement('terminate-agent', {
  takes: { id: 'uuid' },
  gives: {},
  sql: ({ id }) => `
    WITH revoked AS (DELETE FROM agent_key WHERE agent_id = ${id})
    UPDATE agent SET status = 'terminated', pause_reason = NULL, paused_at = NULL,
      updated_at = now()
    WHERE id = ${id}`,
});

export async function decideDraft(
  tx: Tx,
  id: string,
  decision: 'approved' | 'rejected',
): Promise<void> {
  const status = decision === 'approved' ? 'idle' : 'terminated';
  await ask(tx, decideById, { id, status });
}

const decideById = statement('decide-draft', {
  takes: { id: 'uuid', status: 'text' },
  gives: {},
  sql: ({ id, status }) => `
    UPDATE agent SET status = ${status}, updated_at = now()
    WHERE id = ${id} AND status = 'pending_approval'`,
});
