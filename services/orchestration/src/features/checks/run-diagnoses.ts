import { type Loop, repeat } from '@switchyard/async';
import { ask, type RowOf, statement } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import type { Finding } from '@switchyard/types';
import type { Context } from '../../context';
import { diagnoseAgent } from './diagnose-agent';

/**
 * Takes up checks that wait, in each worker. Rows alone, without a hint: a request waits for each of them, and must get
 * its response while Redis is away too.
 */
export function startDiagnoses(context: Context): Pick<Loop, 'close'> {
  const { config, db, logger } = context;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();

  const begin = (claimed: ClaimedCheck) => {
    const work = diagnose(context, claimed, stopping.signal).catch((error: unknown) =>
      logger.warn('a check was not answered', errorFields(error)),
    );
    underWay.add(work);
    // The next that waits is taken up at once.
    void work.then(() => {
      underWay.delete(work);
      loop.runNow();
    });
  };
  const loop = repeat(async () => {
    try {
      await ask(db, forgetChecks, {});
      const free = AT_ONCE - underWay.size;
      if (free > 0) for (const claimed of await ask(db, claimChecks, { free })) begin(claimed);
    } catch (error) {
      logger.warn('checks were not looked at; the next round does', errorFields(error));
    }
    return config.sweepMs;
  });
  return {
    close: async () => {
      stopping.abort();
      await loop.close();
      await Promise.all(underWay);
    },
  };
}

/** Checks of one worker at a time: each may start a program. */
const AT_ONCE = 2;

type ClaimedCheck = RowOf<typeof claimChecks>;

async function diagnose(
  context: Context,
  { id, agentId }: ClaimedCheck,
  stopping: AbortSignal,
): Promise<void> {
  const late = AbortSignal.timeout(context.config.checks.answerWithinMs);
  const signal = AbortSignal.any([stopping, late]);
  const findings = await diagnoseAgent(context, agentId, signal).catch(
    (error: unknown): Finding[] => {
      context.logger.warn('a check of an agent failed', errorFields(error));
      return [{ level: 'error', code: 'check_failed', message: 'the check failed on our side' }];
    },
  );
  await ask(context.db, storeFindings, { id, findings });
}

/** A request whose process ended has left its row behind. */
const forgetChecks = statement('forget-checks', {
  takes: {},
  gives: {},
  sql: () => `DELETE FROM agent_check WHERE requested_at < now() - interval '2 minutes'`,
});

/** The companies in turn, so that the crowd of one does not make the others wait. */
const claimChecks = statement('claim-checks', {
  takes: { free: 'int' },
  gives: { id: 'uuid', agentId: 'uuid' },
  sql: ({ free }) => `
    UPDATE agent_check SET claimed_at = clock_timestamp() WHERE id IN (
      SELECT c.id FROM agent_check c JOIN (
        SELECT id, row_number() OVER (PARTITION BY company_id ORDER BY requested_at) AS turn
        FROM agent_check WHERE claimed_at IS NULL AND requested_at > now() - interval '1 minute'
      ) waiting USING (id)
      WHERE c.claimed_at IS NULL ORDER BY waiting.turn, c.requested_at LIMIT ${free}
      FOR UPDATE OF c SKIP LOCKED
    ) RETURNING id, agent_id AS "agentId"`,
});

const storeFindings = statement('store-findings', {
  takes: { id: 'uuid', findings: 'json' },
  gives: {},
  sql: ({ id, findings }) => `UPDATE agent_check SET findings = ${findings} WHERE id = ${id}`,
});
