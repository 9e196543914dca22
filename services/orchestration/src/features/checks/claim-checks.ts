import { anySql, ask, type RowOf, statement } from '@switchyard/db';
import type { Finding } from '@switchyard/types';
import type { Context } from '../../kernel/context';
import { isExternalSql } from '../../state/agents/run-transitions';
import { isInstanceOfSql } from '../../state/runs/claims/instance-of';
import { isForTakerSql, TAKER, type Taker, takerValues } from '../../state/runs/claims/takers';

export type ClaimedCheck = RowOf<typeof claim>;

/** Claims checks of agents whose runs this process executes; workers also check external agents. */
export async function claimChecks(
  context: Pick<Context, 'adapters' | 'config' | 'db'>,
  { taker, instance, free }: { taker: Taker; instance: string | null; free: number },
): Promise<ClaimedCheck[]> {
  return ask(context.db, claim, { ...takerValues(context, taker), instance, free });
}

/**
 * Matches checks that no request waits for: a request waits for less than two minutes, and then
 * deletes its row unless its process has ended.
 */
const LEFT = {
  from: 'agent_check',
  where: `requested_at < now() - interval '2 minutes'`,
  order: 'requested_at',
};

export const hasLeftChecksSql = anySql(LEFT);

export async function forgetChecks({ db }: Pick<Context, 'db'>): Promise<void> {
  await ask(db, forget, {});
}

const forget = statement('forget-checks', {
  takes: {},
  gives: {},
  sql: () => `DELETE FROM ${LEFT.from} WHERE ${LEFT.where}`,
});

const claim = statement('claim-checks', {
  takes: { ...TAKER, instance: 'uuid?', free: 'int' },
  gives: { id: 'uuid', agentId: 'uuid', companyId: 'uuid', workspaceId: 'uuid?' },
  sql: (p) => `
    UPDATE agent_check SET claimed_at = clock_timestamp(), runner_instance = ${p.instance} WHERE id IN (
      SELECT c.id FROM agent_check c JOIN (
        SELECT w.id, row_number() OVER (PARTITION BY w.company_id ORDER BY w.requested_at) AS turn
        FROM agent_check w JOIN agent a ON a.id = w.agent_id
        WHERE w.claimed_at IS NULL AND w.requested_at > now() - interval '1 minute'
          AND (w.workspace_id IS NULL OR ${p.taker} = 'runner')
          AND (${isForTakerSql('a', p)} OR (${p.taker} = 'worker' AND ${isExternalSql('a')}))
      ) waiting USING (id)
      WHERE c.claimed_at IS NULL ORDER BY waiting.turn, c.requested_at LIMIT ${p.free}
      FOR UPDATE OF c SKIP LOCKED
    ) RETURNING id, agent_id AS "agentId", company_id AS "companyId", workspace_id AS "workspaceId"`,
});

export async function unclaimChecks({ db }: Pick<Context, 'db'>, ids: string[]): Promise<void> {
  if (ids.length > 0) await ask(db, unclaim, { ids });
}

const unclaim = statement('unclaim-checks', {
  takes: { ids: 'uuid[]' },
  gives: {},
  sql: ({ ids }) => `
    UPDATE agent_check SET claimed_at = NULL, runner_instance = NULL
    WHERE id = ANY (${ids}) AND findings IS NULL`,
});

export async function storeFindings(
  { db }: Pick<Context, 'db'>,
  id: string,
  findings: Finding[],
): Promise<void> {
  await ask(db, store, { id, findings });
}

const store = statement('store-findings', {
  takes: { id: 'uuid', findings: 'json' },
  gives: {},
  sql: ({ id, findings }) => `UPDATE agent_check SET findings = ${findings} WHERE id = ${id}`,
});

export async function findHeldCheck(
  { db }: Pick<Context, 'db'>,
  check: { id: string; runnerId: string | null },
): Promise<{ agentId: string; workspaceId: string | null } | null> {
  const [found] = await ask(db, findHeld, check);
  return found ?? null;
}

const findHeld = statement('find-held-check', {
  takes: { id: 'uuid', runnerId: 'uuid?' },
  gives: { agentId: 'uuid', workspaceId: 'uuid?' },
  sql: ({ id, runnerId }) => `
    SELECT c.agent_id AS "agentId", c.workspace_id AS "workspaceId" FROM agent_check c
    WHERE c.id = ${id} AND c.findings IS NULL AND ${isInstanceOfSql('c.runner_instance', runnerId)}`,
});
