import { ask, type RowOf, statement } from '@switchyard/db';
import { inTransaction, systemCall } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { lockAgent } from '../agents/lock-agent';
import { refusalSql } from '../agents/may-start';
import { appliedCapsSql, exceedsSql } from '../budgets/applied-caps';
import { rankRun } from '../runs/claims/rank-waiting-runs';
import { enqueueRun } from '../runs/enqueue-run';
import { isOpenSql } from '../statuses/issue-status';

const BATCH = 200;

const isDueSql = `checked_at < now() - interval '2 seconds'`;

export const hasPausedRunsSql = `EXISTS (SELECT FROM budget_pause WHERE ${isDueSql})`;

/**
 * Creates a retry, with the same conversation, for each run that a budget paused and whose refused
 * call now fits. Wakes to which the exceeded caps do not apply continue earlier, in a separate
 * retry. Drops assignments to issues that have ended. Skips agents that have a waiting run until a
 * later round.
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
  const { id, companyId, agentId, issueId, hops, retries, wakeReasons, heldWakes } = run;
  const held = heldWakes && JSON.stringify(heldWakes);
  await inTransaction(systemCall(context, companyId), async (tx) => {
    await lockAgent(tx, agentId);
    const changed = held
      ? await ask(tx, keepPause, { runId: id, held })
      : await ask(tx, forgetPause, { runId: id });
    if (changed.length === 0) throw new NotContinued();
    const next = await enqueueRun(tx, {
      agentId,
      source: 'retry',
      reason: 'paused_budget',
      issueId,
      hops,
      retry: {
        ...{ ofRunId: held ? null : id, retries, delayMs: null },
        reasons: wakeReasons as never,
      },
    });
    if (next.outcome === 'skipped') throw new NotContinued();
    if (held) await ask(tx, linkRetry, { runId: id, retryId: next.run.id });
    await rankRun(tx, next.run.id);
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
    heldWakes: 'json?',
    isOver: 'bool',
    fits: 'bool',
  },
  sql: () => `
    WITH due AS (
      UPDATE budget_pause SET checked_at = now() WHERE run_id IN (
        SELECT run_id FROM budget_pause WHERE ${isDueSql} ORDER BY checked_at LIMIT ${BATCH}
        FOR UPDATE SKIP LOCKED)
      RETURNING run_id, cents, wakes
    )
    SELECT r.id, r.company_id AS "companyId", r.agent_id AS "agentId", needed.issue_id AS "issueId",
      r.hops, r.retries, needed.wakes AS "wakeReasons", needed.held AS "heldWakes",
      r.finished_at IS NOT NULL AND (r.error_code IS DISTINCT FROM 'paused_budget' OR needed.open = 0)
        OR r.retried_by_run_id IS NOT NULL OR a.status = 'terminated' AS "isOver",
      coalesce(r.error_code = 'paused_budget' AND ${refusalSql('a', 'c', { cap: 'NULL' })} IS NULL
        AND NOT EXISTS (SELECT FROM heartbeat_run q WHERE q.agent_id = a.id AND q.status = 'queued')
        AND needed."mayStart", false) AS fits
    FROM due JOIN heartbeat_run r ON r.id = due.run_id JOIN agent a ON a.id = r.agent_id
      JOIN company c ON c.id = r.company_id
      CROSS JOIN LATERAL (
        SELECT array_agg(cap.scope_id) AS ids, coalesce(bool_or(cap.scope = 'run'), false) AS "ofRun"
        FROM ${appliedCapsSql('r', 'NULL::uuid')} cap
        WHERE r.started_at IS NOT NULL AND ${exceedsSql('cap', 'due.cents')}
      ) exceeded
      CROSS JOIN LATERAL (
        SELECT count(*) AS open, jsonb_agg(wake ORDER BY place) FILTER (WHERE is_held) AS held,
          jsonb_agg(wake ORDER BY place) FILTER (WHERE NOT is_held) AS wakes,
          coalesce(bool_or(NOT is_held AND NOT is_capped), false) AS "mayStart",
          (array_agg(issue_id ORDER BY is_capped, issue_id IS NOT DISTINCT FROM r.issue_id DESC, place)
            FILTER (WHERE NOT is_held))[1] AS issue_id
        FROM (
          SELECT woken.*, about.id AS issue_id, capped.wake IS NOT NULL AS is_capped,
            exceeded."ofRun" OR coalesce(exceeded.ids
              && ARRAY[r.company_id, r.agent_id, about.id, about.project_id, f.routine_id], false) AS is_held
          FROM jsonb_array_elements(coalesce(due.wakes, r.wake_reasons)) WITH ORDINALITY woken(wake, place)
            LEFT JOIN issue about ON about.company_id = r.company_id AND about.id = (wake ->> 'issueId')::uuid
            LEFT JOIN routine_run f ON f.id = about.origin_routine_run_id
            LEFT JOIN (SELECT DISTINCT r.wake_reasons -> (place::int - 1) AS wake FROM capped_wakes(r.id)) capped
              ON capped.wake = woken.wake
          WHERE about.id IS NULL OR ${isOpenSql('about')} OR woken.wake ->> 'source' NOT IN ('assignment', 'routine')
        ) wakes
      ) needed
    ORDER BY r.finished_at, r.id`,
});

const keepPause = statement('keep-budget-pause', {
  takes: { runId: 'uuid', held: 'text' },
  gives: { id: 'uuid' },
  sql: ({ runId, held }) => `
    UPDATE budget_pause p SET wakes = ${held}::jsonb FROM heartbeat_run r
    WHERE p.run_id = ${runId} AND r.id = p.run_id
      AND jsonb_array_length(coalesce(p.wakes, r.wake_reasons)) > jsonb_array_length(${held}::jsonb)
    RETURNING p.run_id AS id`,
});

const linkRetry = statement('link-retry', {
  takes: { runId: 'uuid', retryId: 'uuid' },
  gives: {},
  sql: ({ runId, retryId }) => `
    UPDATE heartbeat_run SET retry_of_run_id = coalesce(retry_of_run_id, ${runId}) WHERE id = ${retryId}`,
});

export const forgetPause = statement('forget-budget-pause', {
  takes: { runId: 'uuid' },
  gives: { id: 'uuid', wakes: 'json?' },
  sql: ({ runId }) =>
    `DELETE FROM budget_pause WHERE run_id = ${runId} RETURNING run_id AS id, wakes`,
});
