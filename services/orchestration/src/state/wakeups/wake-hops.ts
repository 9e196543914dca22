import { ask, type Database, statement } from '@switchyard/db';
import type { Call } from '../../kernel/call';

/**
 * Returns the number of consecutive wakes by agents if this caller wakes one now. People and the
 * clock start a chain. Without a run header, an API key continues the chain of the agent's latest
 * run, so that omitting the header does not restart the chain.
 */
export async function wakeHops({ db, actor, runId }: Call): Promise<number> {
  if (actor.type !== 'agent') return 0;
  return (await hopsOfActor(db, actor.agentId, runId)) + 1;
}

export const isOverHopCap = ({ context }: Call, hops: number): boolean =>
  hops > context.config.mentionHopCap;

async function hopsOfActor(db: Database, agentId: string, runId: string | null): Promise<number> {
  const [run] = runId
    ? await ask(db, readHops, { runId })
    : await ask(db, readLatestHops, { agentId });
  return run?.hops ?? 0;
}

const readHops = statement('read-hops', {
  takes: { runId: 'uuid' },
  gives: { hops: 'int' },
  sql: ({ runId }) => `SELECT hops FROM heartbeat_run WHERE id = ${runId}`,
});

/**
 * A chain without a wake for this long counts as ended: two agents that wake each other so rarely
 * do no harm.
 */
const CHAIN_RESTS = "interval '1 hour'";

const readLatestHops = statement('read-latest-hops', {
  takes: { agentId: 'uuid' },
  gives: { hops: 'int' },
  sql: ({ agentId }) => `
    SELECT hops FROM heartbeat_run
    WHERE agent_id = ${agentId} AND started_at > now() - ${CHAIN_RESTS}
    ORDER BY created_at DESC, id DESC LIMIT 1`,
});
