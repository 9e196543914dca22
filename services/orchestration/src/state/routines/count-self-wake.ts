import type { Transaction } from '@switchyard/db';
import type { Actor } from '../../access/actor';

/**
 * Whether a firing may wake the routine's assignee, and counts it. A trigger that an agent made, or whose
 * secret it knows, begins a chain of wakes like the clock and the world outside do; but the agent may be
 * the one behind it, from within its own run, and no credential tells. So all such triggers together wake
 * their agent so often an hour and not more: it cannot keep itself awake for ever at any pace that matters.
 * Whoever fires with a credential is held by the length of the chain instead.
 */
export async function countSelfWake(
  tx: Transaction,
  firing: {
    actor: Actor;
    triggerId: string | null;
    companyId: string;
    agentId: string;
    perHour: number;
  },
): Promise<boolean> {
  const { actor, triggerId, companyId, agentId, perHour } = firing;
  if (triggerId === null || actor.type === 'board' || actor.type === 'agent') return true;
  const trigger = await tx.prisma.routineTrigger.findUnique({
    where: { id: triggerId },
    select: { madeByAgent: true },
  });
  if (!trigger?.madeByAgent) return true;
  if (perHour === 0) return false;
  const counted = await tx.prisma.$executeRaw`
    INSERT INTO agent_self_wake AS known (company_id, agent_id, wakes, since)
    VALUES (${companyId}::uuid, ${agentId}::uuid, 1, clock_timestamp())
    ON CONFLICT (agent_id) DO UPDATE SET
      wakes = CASE WHEN known.since > excluded.since - interval '1 hour'
        THEN known.wakes + 1 ELSE 1 END,
      since = CASE WHEN known.since > excluded.since - interval '1 hour'
        THEN known.since ELSE excluded.since END
    WHERE known.wakes < ${perHour} OR known.since <= excluded.since - interval '1 hour'`;
  return counted === 1;
}
