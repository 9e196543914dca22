import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@switchyard/db';
import { unavailable } from '@switchyard/server';
import type { Finding } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import type { RequestCall } from '../../pipeline';

const LOOK_AGAIN_MS = 100;
/** Each waits with a request open; more than workers get through in a moment is refused. */
const MAX_WAITING = 256;
/** Of one company, so that it uses up nothing of what is the others'. */
const MAX_OF_COMPANY = 8;

const ASK = `
  INSERT INTO agent_check (id, company_id, agent_id)
  SELECT $1::uuid, $2::uuid, $3::uuid
  FROM (SELECT count(*) AS waiting, count(*) FILTER (WHERE company_id = $2::uuid) AS of_company
    FROM agent_check WHERE requested_at > now() - interval '1 minute') present
  WHERE waiting < ${MAX_WAITING} AND of_company < ${MAX_OF_COMPANY}
  RETURNING 1`;
const LOOK = `
  SELECT claimed_at IS NOT NULL AS claimed, findings FROM agent_check WHERE id = $1::uuid`;
const FORGET = `DELETE FROM agent_check WHERE id = $1::uuid RETURNING 1`;

interface Look {
  claimed: boolean;
  findings: Finding[] | null;
}

const NO_WORKER: Finding = {
  level: 'error',
  code: 'no_worker',
  message: 'no worker took the check up, so nothing was looked at, and no agent would run now',
};
const LATE: Finding = {
  level: 'error',
  code: 'check_timeout',
  message: 'the worker that took the check up did not end it in time',
};

/**
 * Has a worker look at what an agent needs, and waits for it: only there is true what is found, because
 * programs, directories and networks of the API's own host are no worker's. The row that asks lives no longer
 * than the question.
 * @throws ApiError 403 `not_own`, 503 when too many wait
 */
export async function askForCheck(call: RequestCall<string>, agentId: string): Promise<Finding[]> {
  const { db, config } = call.context;
  assertSelfOrBoard(call, agentId);
  // Refused a moment later, whatever would be found.
  if (call.companyStatus === 'archived') return [];
  const id = newId();
  const asked = await db.rows('ask-for-check', ASK, [id, call.companyId, agentId]);
  if (asked.length === 0) throw unavailable('too many checks are waiting');
  const { claimWithinMs, answerWithinMs } = config.checks;
  const begin = performance.now();
  try {
    for (;;) {
      await delay(LOOK_AGAIN_MS);
      const [look] = await db.rows<Look>('look-for-check', LOOK, [id]);
      if (look?.findings) return look.findings;
      const waited = performance.now() - begin;
      if (!look?.claimed && waited > claimWithinMs) return [NO_WORKER];
      if (waited > claimWithinMs + answerWithinMs) return [LATE];
    }
  } finally {
    await db.rows('forget-check', FORGET, [id]);
  }
}
