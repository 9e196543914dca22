import { ask, type RowOf, statement } from '@switchyard/db';
import type { WakeReason } from '@switchyard/types';
import type { Tx } from '../../../kernel/call';
import { pauseForBudget } from '../../budgets/pause-run';
import { type CapReason, scopeOfCap } from '../../budgets/spend-caps';
import { endWaitingRuns } from '../ending';
import { enqueueRun } from '../enqueue-run';
import type { explainUnclaimed } from './claimable';
import { rankRun } from './rank-waiting-runs';

export async function parkWakes(
  tx: Tx,
  run: RowOf<typeof explainUnclaimed>,
  cap: CapReason,
): Promise<void> {
  const { id: runId, agentId, hops, retries } = run;
  const wakes = run.wakeReasons as unknown as WakeReason[];
  const capped = new Set((await ask(tx, readCapped, { runId })).map(({ place }) => place - 1));
  const others = wakes.filter((_, n) => !capped.has(n));
  const error = `the run did not start, because its ${scopeOfCap(cap)} has reached a spending cap`;
  await endWaitingRuns(tx, [agentId], 'paused_budget', error);
  await pauseForBudget(tx, run);
  const [first] = others;
  if (!first) return;
  const next = await enqueueRun(tx, {
    agentId,
    source: first.source,
    reason: null,
    issueId: others.find(({ issueId }) => issueId)?.issueId ?? null,
    hops,
    retry: { ofRunId: null, retries, delayMs: null, reasons: others },
  });
  if (next.outcome === 'skipped') return;
  const parked = wakes.filter((_, n) => capped.has(n));
  await ask(tx, splitWakes, {
    runId,
    nextRunId: next.run.id,
    issueId: parked.find(({ issueId }) => issueId)?.issueId ?? null,
    parked: JSON.stringify(parked),
    others: JSON.stringify(others),
  });
  await rankRun(tx, next.run.id);
}

const readCapped = statement('read-capped-wakes', {
  takes: { runId: 'uuid' },
  gives: { place: 'int' },
  sql: ({ runId }) => `SELECT place::int FROM capped_wakes(${runId})`,
});

const shareSql = (some: string, wakes: string) => `EXISTS (
  SELECT FROM jsonb_array_elements(${some}) one JOIN jsonb_array_elements(${wakes}::jsonb) other
    ON one - 'payload' = other - 'payload')`;

const splitWakes = statement('split-wakes', {
  takes: { runId: 'uuid', nextRunId: 'uuid', issueId: 'uuid?', parked: 'text', others: 'text' },
  gives: {},
  sql: (p) => `
    WITH retried AS (
      UPDATE heartbeat_run o SET retried_by_run_id = ${p.nextRunId} FROM heartbeat_run r
      WHERE r.id = ${p.runId} AND o.company_id = r.company_id AND o.retried_by_run_id = r.id
        AND ${shareSql('o.wake_reasons', p.others)}
      RETURNING o.id, ${shareSql('o.wake_reasons', p.parked)} AS stays
    ), kept AS (
      UPDATE heartbeat_run r SET wake_reasons = ${p.parked}::jsonb, issue_id = ${p.issueId},
        routine_run_id = (SELECT origin_routine_run_id FROM issue WHERE id = ${p.issueId}),
        retry_of_run_id = CASE WHEN r.retry_of_run_id NOT IN (SELECT id FROM retried WHERE NOT stays)
          THEN r.retry_of_run_id END
      WHERE r.id = ${p.runId}
    )
    UPDATE heartbeat_run next SET created_at = r.created_at, retry_of_run_id = retried.id
    FROM heartbeat_run r LEFT JOIN retried ON retried.id = r.retry_of_run_id
    WHERE next.id = ${p.nextRunId} AND r.id = ${p.runId}`,
});
