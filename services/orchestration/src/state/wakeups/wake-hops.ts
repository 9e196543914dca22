import { ask, type Database, statement } from '@switchyard/db';
import type { Call } from '../../call';

/**
 * How many agents in a row have woken an agent when this caller wakes one now. People and the clock begin a chain; an
 * agent continues the one it acts in. One that calls with an API key and names no run continues the chain of its latest
 * run, so that leaving the header out does not begin anew.
 */
export async function wakeHops({ db, actor, runId }: Call): Promise<number> {
  if (actor.type !== 'agent') return 0;
  return (await hopsOfActor(db, actor.agentId, runId)) + 1;
}

/** The chain that a caller acts in: that of its run, else that of the run it was last woken for. */
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

/** A chain that rests for longer than this has ended: at that pace two agents do no harm. */
const CHAIN_RESTS = "interval '1 hour'";

const readLatestHops = statement('read-latest-hops', {
  takes: { agentId: 'uuid' },
  gives: { hops: 'int' },
  sql: ({ agentId }) => `
    SELECT hops FROM heartbeat_run
    WHERE agent_id = ${agentId} AND started_at > now() - ${CHAIN_RESTS}
    ORDER BY created_at DESC, id DESC LIMIT 1`,
});
