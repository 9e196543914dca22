import { ask, type RowOf, statement } from '@switchyard/db';
import { inTransaction, systemCall } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { refusalSql } from '../agents/may-start';
import { appliedCapsSql, exceedsSql } from '../budgets/applied-caps';
import { enqueueRun } from '../runs/enqueue-run';
import { isOpenSql } from '../statuses/issue-status';

const BATCH = 200;

const isDueSql = `checked_at < now() - interval '2 seconds'`;

export const hasPausedRunsSql = `EXISTS (SELECT FROM budget_pause WHERE ${isDueSql})`;

/**
 * Creates a retry, with the same conversation, for each run that a budget paused and whose refused
 * call now fits, or one of whose wakes may start. Drops assignments to issues that have ended. Skips
 * agents that have a waiting run until a later round.
 */
export async function continuePausedRuns(context: Context): Promise<number> {
  const due = await ask(context.db, checkPaused, {});
  const continuing = new Set<string>();
  for (const run of due) {
    if (run.isOver) await ask(context.db, forgetPause, { runId: run.id });
    else if (run.fits && !continuing.has(run.agentId)) {
      continuing.add(run.agentId);
      await continueRun(context, run);
    }
  }
  return continuing.size;
}

class NotContinued extends Error {}

async function continueRun(context: Context, run: RowOf<typeof checkPaused>): Promise<void> {
  const { id, companyId, agentId, issueId, hops, retries, wakeReasons } = run;
  await inTransaction(systemCall(context, companyId), async (tx) => {
    const forgotten = await ask(tx, forgetPause, { runId: id });
    if (forgotten.length === 0) throw new NotContinued();
    const { outcome } = await enqueueRun(tx, {
      agentId,
      source: 'retry',
      reason: 'paused_budget',
      issueId,
      hops,
      retry: { ofRunId: id, retries, delayMs: null, reasons: wakeReasons as never },
    });
    if (outcome === 'skipped') throw new NotContinued();
  }).catch((error: unknown) => {
    if (!(error instanceof NotContinued)) throw error;
  });
}

const checkPaused = statement('check-paused-runs', {
  takes: {},
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    issueId: 'uuid?',
    hops: 'int',
    retries: 'int',
    wakeReasons: 'json?',
    isOver: 'bool',
    fits: 'bool',
  },
  sql: () => `
    WITH due AS (
      UPDATE budget_pause SET checked_at = now() WHERE run_id IN (
        SELECT run_id FROM budget_pause WHERE ${isDueSql} ORDER BY checked_at LIMIT ${BATCH}
        FOR UPDATE SKIP LOCKED)
      RETURNING run_id, cents
    )
    SELECT r.id, r.company_id AS "companyId", r.agent_id AS "agentId", needed.issue_id AS "issueId",
      r.hops, r.retries, needed.wakes AS "wakeReasons",
      r.finished_at IS NOT NULL AND (r.error_code IS DISTINCT FROM 'paused_budget' OR needed.wakes IS NULL)
        OR r.retried_by_run_id IS NOT NULL OR a.status = 'terminated' AS "isOver",
      coalesce(r.error_code = 'paused_budget' AND ${refusalSql('a', 'c', { cap: 'NULL' })} IS NULL
        AND NOT EXISTS (SELECT FROM heartbeat_run q WHERE q.agent_id = a.id AND q.status = 'queued')
        AND needed."mayStart" AND (r.started_at IS NULL OR NOT EXISTS (
          SELECT FROM ${appliedCapsSql('r', 'NULL::uuid')} cap WHERE ${exceedsSql('cap', 'due.cents')})), false) AS fits
    FROM due JOIN heartbeat_run r ON r.id = due.run_id JOIN agent a ON a.id = r.agent_id
      JOIN company c ON c.id = r.company_id
      CROSS JOIN LATERAL (
        SELECT jsonb_agg(woken.wake ORDER BY woken.place) AS wakes,
          coalesce(bool_or(capped.place IS NULL), false) AS "mayStart",
          (array_agg(about.id ORDER BY capped.place IS NOT NULL, about.id IS NOT DISTINCT FROM r.issue_id DESC, woken.place))[1]
            AS issue_id
        FROM jsonb_array_elements(r.wake_reasons) WITH ORDINALITY woken(wake, place)
          LEFT JOIN issue about ON about.company_id = r.company_id AND about.id = (wake ->> 'issueId')::uuid
          LEFT JOIN capped_wakes(r.id) capped ON capped.place = woken.place
        WHERE about.id IS NULL OR ${isOpenSql('about')} OR wake ->> 'source' NOT IN ('assignment', 'routine')
      ) needed
    ORDER BY r.finished_at, r.id`,
});

const forgetPause = statement('forget-budget-pause', {
  takes: { runId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ runId }) => `DELETE FROM budget_pause WHERE run_id = ${runId} RETURNING run_id AS id`,
});
