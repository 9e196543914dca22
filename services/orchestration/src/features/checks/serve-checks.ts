import { errorFields } from '@switchyard/server';
import type { Finding } from '@switchyard/types';
import type { Context } from '../../context';
import { lookAtAgent } from './look-at-agent';

/** Checks of one worker at a time: each may start a program. */
const AT_ONCE = 2;

/** The companies in turn, so that the crowd of one does not make the others wait. */
const CLAIM = `
  UPDATE agent_check SET claimed_at = clock_timestamp() WHERE id IN (
    SELECT c.id FROM agent_check c JOIN (
      SELECT id, row_number() OVER (PARTITION BY company_id ORDER BY requested_at) AS turn
      FROM agent_check WHERE claimed_at IS NULL AND requested_at > now() - interval '1 minute'
    ) waiting USING (id)
    WHERE c.claimed_at IS NULL ORDER BY waiting.turn, c.requested_at LIMIT $1 FOR UPDATE OF c SKIP LOCKED
  ) RETURNING id, agent_id`;
const ANSWER = `UPDATE agent_check SET findings = $2::jsonb WHERE id = $1::uuid RETURNING 1`;
/** Whoever asked is gone: its process ended before it could remove its row. */
const FORGET = `DELETE FROM agent_check WHERE requested_at < now() - interval '2 minutes' RETURNING 1`;

interface Claimed {
  id: string;
  agent_id: string;
}

async function serve(context: Context, claimed: Claimed, closing: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(context.config.checks.answerWithinMs);
  const signal = AbortSignal.any([closing, late]);
  const findings = await lookAtAgent(context, claimed.agent_id, signal).catch(
    (error: unknown): Finding[] => {
      context.logger.warn('a check of an agent failed', errorFields(error));
      return [{ level: 'error', code: 'check_failed', message: 'the check failed on our side' }];
    },
  );
  const text = JSON.stringify(findings);
  await context.db.rows('answer-check', ANSWER, [claimed.id, text]);
}

/**
 * Takes up checks that wait, in each worker. Rows alone, without a hint: somebody waits for each in a request,
 * and must be answered while Redis is away too.
 */
export function startChecks(context: Context): { close(): Promise<void> } {
  const { config, db, logger } = context;
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();

  const begin = (claimed: Claimed) => {
    const work = serve(context, claimed, closing.signal).catch((error: unknown) =>
      logger.warn('a check was not answered', errorFields(error)),
    );
    underWay.add(work);
    // The next that waits is taken up at once.
    void work.then(() => {
      underWay.delete(work);
      plan(0);
    });
  };
  const plan = (ms: number) => {
    clearTimeout(timer);
    if (!closing.signal.aborted) timer = setTimeout(again, ms);
  };
  const look = async () => {
    try {
      await db.rows('forget-checks', FORGET, []);
      const free = AT_ONCE - underWay.size;
      if (free > 0) {
        for (const claimed of await db.rows<Claimed>('claim-checks', CLAIM, [free])) begin(claimed);
      }
    } catch (error) {
      logger.warn('checks were not looked at; the next round does', errorFields(error));
    }
    plan(config.sweepMs);
  };
  const again = () => {
    round = round.then(look);
  };
  again();
  return {
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await round;
      await Promise.all(underWay);
    },
  };
}
