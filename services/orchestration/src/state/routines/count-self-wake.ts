import { ask, statement, type Transaction } from '@switchyard/db';

/**
 * Counts a wake of an agent by triggers that it created or whose secrets it has. Returns false
 * beyond `perHour` wakes in this hour.
 */
export async function countSelfWake(
  tx: Transaction,
  { companyId, agentId, perHour }: { companyId: string; agentId: string; perHour: number },
): Promise<boolean> {
  if (perHour === 0) return false;
  const counted = await ask(tx, countWake, { companyId, agentId, perHour });
  return counted.length > 0;
}

const countWake = statement('count-self-wake', {
  takes: { companyId: 'uuid', agentId: 'uuid', perHour: 'int' },
  gives: { wakes: 'int' },
  sql: ({ companyId, agentId, perHour }) => `
    INSERT INTO agent_self_wake AS known (company_id, agent_id, wakes, since)
    VALUES (${companyId}, ${agentId}, 1, clock_timestamp())
    ON CONFLICT (agent_id) DO UPDATE SET
      wakes = CASE WHEN known.since > excluded.since - interval '1 hour'
        THEN known.wakes + 1 ELSE 1 END,
      since = CASE WHEN known.since > excluded.since - interval '1 hour'
        THEN known.since ELSE excluded.since END
    WHERE known.wakes < ${perHour} OR known.since <= excluded.since - interval '1 hour'
    RETURNING wakes`,
});
