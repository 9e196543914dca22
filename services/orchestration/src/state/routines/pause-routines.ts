import { ask, statement } from '@switchyard/db';
import type { Tx } from '../../kernel/call';

/** Call before locking the agent, because firings lock in this order. */
export async function lockRoutinesOf(tx: Tx, agentId: string): Promise<void> {
  await ask(tx, lockRoutines, { agentId });
}

const lockRoutines = statement('lock-routines-of-agent', {
  takes: { agentId: 'uuid' },
  gives: {},
  sql: ({ agentId }) => `
    SELECT FROM routine WHERE assignee_agent_id = ${agentId} ORDER BY id FOR NO KEY UPDATE`,
});

export async function pauseRoutinesOf(tx: Tx, agentId: string): Promise<number> {
  const paused = await ask(tx, pauseRoutines, { agentId });
  return paused.length;
}

const pauseRoutines = statement('pause-routines-of-agent', {
  takes: { agentId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ agentId }) => `
    WITH unscheduled AS (
      UPDATE routine_trigger t SET next_run_at = NULL, updated_at = now() FROM routine r
      WHERE r.id = t.routine_id AND r.assignee_agent_id = ${agentId} AND r.status = 'active'
    )
    UPDATE routine SET status = 'paused', updated_at = now()
    WHERE assignee_agent_id = ${agentId} AND status = 'active' RETURNING id`,
});
