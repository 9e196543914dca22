import { setTimeout as delay } from 'node:timers/promises';
import { ask, newId, statement } from '@switchyard/db';
import { unavailable } from '@switchyard/server';
import type { Finding } from '@switchyard/types';
import { announceWork } from '../../kernel/announce-work';
import type { Call } from '../../kernel/call';

/**
 * Waits for a check by the process that executes the agent's runs, because the result depends on
 * the programs, folders and networks of that process. The row is deleted when the request ends.
 * @throws ApiError 503 if too many checks wait
 */
export async function awaitFindings(
  call: Call,
  { agentId, workspaceId }: { agentId: string; workspaceId: string | null },
): Promise<Finding[]> {
  const { db, context } = call;
  const id = newId();
  const requested = { id, companyId: call.companyId, agentId, workspaceId };
  const [asked] = await ask(db, requestCheck, requested);
  if (!asked) throw unavailable('too many checks are waiting; try again later');
  const taker = context.adapters.runnerTypes.includes(asked.adapterType) ? 'runner' : 'worker';
  const { claimWithinMs, answerWithinMs } = context.config.checks;
  announceWork(context.nudges, 'checks');
  const begin = performance.now();
  try {
    for (;;) {
      await delay(LOOK_AGAIN_MS);
      const [look] = await ask(db, readCheck, { id });
      if (look?.findings) return look.findings as Finding[];
      const waited = performance.now() - begin;
      if (!look?.claimed && waited > claimWithinMs) return [notTaken(taker)];
      if (waited > claimWithinMs + answerWithinMs) return [late(taker)];
    }
  } finally {
    await ask(db, forgetCheck, { id });
  }
}

const LOOK_AGAIN_MS = 100;
const MAX_WAITING = 256;
const MAX_OF_COMPANY = 8;

type Taker = 'runner' | 'worker';

const notTaken = (taker: Taker): Finding => ({
  level: 'error',
  code: 'no_worker',
  message: `no ${taker} accepted the check in time, so nothing was checked: make sure that a ${taker} serves this agent, then try again`,
});
const late = (taker: Taker): Finding => ({
  level: 'error',
  code: 'check_timeout',
  message: `the ${taker} that accepted the check did not finish it in time: try again`,
});

const requestCheck = statement('request-check', {
  takes: { id: 'uuid', companyId: 'uuid', agentId: 'uuid', workspaceId: 'uuid?' },
  gives: { adapterType: 'text' },
  sql: (p) => `
    INSERT INTO agent_check (id, company_id, agent_id, workspace_id)
    SELECT ${p.id}, ${p.companyId}, ${p.agentId}, ${p.workspaceId}
    FROM (SELECT count(*) AS waiting, count(*) FILTER (WHERE company_id = ${p.companyId}) AS of_company
      FROM agent_check WHERE requested_at > now() - interval '1 minute') present
    WHERE waiting < ${MAX_WAITING} AND of_company < ${MAX_OF_COMPANY}
    RETURNING (SELECT adapter_type FROM agent WHERE id = ${p.agentId}) AS "adapterType"`,
});

const readCheck = statement('read-check', {
  takes: { id: 'uuid' },
  gives: { claimed: 'bool', findings: 'json?' },
  sql: ({ id }) => `
    SELECT claimed_at IS NOT NULL AS claimed, findings FROM agent_check WHERE id = ${id}`,
});

const forgetCheck = statement('forget-check', {
  takes: { id: 'uuid' },
  gives: {},
  sql: ({ id }) => `DELETE FROM agent_check WHERE id = ${id}`,
});
