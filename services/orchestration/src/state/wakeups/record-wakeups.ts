import { ask, newId, statement } from '@switchyard/db';
import { presentOrigin } from '@switchyard/server';
import type { RunSource } from '@switchyard/types';
import { recordActivities } from '../../kernel/activity';
import type { Call, Tx } from '../../kernel/call';
import { isOverHopCap, wakeHops } from './wake-hops';
import { WAKE_CAUSE } from './wakeups';

export interface Wakes {
  agentIds: string[];
  source: RunSource;
  issueId: string | null;
  commentId?: string;
  routineRunId?: string;
  reason?: string;
  payload?: Record<string, unknown>;
}

/**
 * Records wakes in the caller's transaction; a worker processes them after the commit. Takes no
 * agent lock, because agents are locked before issues, and the caller may hold an issue's lock. At
 * the hop cap, only records that the cap was reached.
 */
export async function recordWakeups(tx: Tx, wakes: Wakes): Promise<string[] | 'hop_limit'> {
  const { agentIds, ...cause } = wakes;
  if (agentIds.length === 0) return [];
  const hops = await wakeHops(tx);
  if (isOverHopCap(tx, hops)) {
    await recordSuppressed(tx, [{ ...wakes, hops }]);
    return 'hop_limit';
  }
  const ids = agentIds.map(newId);
  await ask(tx, insertWakeups, {
    ...NO_CAUSE,
    ...cause,
    ids,
    agentIds,
    companyId: tx.companyId,
    hops,
    ...presentOrigin(),
  });
  for (const wakeupId of ids) tx.hint('mention-wakeups', { wakeupId });
  return ids;
}

/**
 * Maximum number of hints that a response waits for. The end of one issue may wake any number of
 * agents; the sweep sends the remaining hints.
 */
const MAX_HINTS = 100;

export interface IssueWake {
  agentId: string;
  issueId: string;
  reason: string;
  payload: Record<string, unknown>;
  /** Hops of the chain that the wake continues; null for the caller's chain. */
  hops: number | null;
}

export async function recordIssueWakeups(
  tx: Tx,
  source: RunSource,
  wakes: IssueWake[],
): Promise<IssueWake[]> {
  if (wakes.length === 0) return [];
  const own = wakes.some(({ hops }) => hops === null) ? await wakeHops(tx) : 0;
  const counted = wakes.map((wake) => ({ id: newId(), ...wake, hops: wake.hops ?? own }));
  const recorded = counted.filter(({ hops }) => !isOverHopCap(tx, hops));
  const suppressed = counted.filter(({ hops }) => isOverHopCap(tx, hops));
  const { companyId } = tx;
  const values = { wakes: recorded, companyId, source, ...presentOrigin() };
  if (recorded.length > 0) await ask(tx, insertIssueWakeups, values);
  for (const { id } of recorded.slice(0, MAX_HINTS)) tx.hint('mention-wakeups', { wakeupId: id });
  await recordSuppressed(
    tx,
    suppressed.map(({ id: _, agentId, ...cause }) => ({ ...cause, agentIds: [agentId], source })),
  );
  return suppressed;
}

export async function recordSuppressed(tx: Tx, wakes: (Wakes & { hops: number })[]): Promise<void> {
  const { companyId, actor, runId } = tx;
  const entries = wakes.map((wake) => ({
    companyId,
    actor,
    runId,
    action: 'wakeup.suppressed',
    entityType: wake.issueId ? 'issue' : 'company',
    entityId: wake.issueId ?? companyId,
    details: { ...wake, reason: 'hop_limit' },
  }));
  await recordActivities(tx, entries);
  tx.afterCommit(() => {
    for (const { agentIds, source } of wakes) {
      for (const _ of agentIds) tx.context.metrics.countWake(source, 'suppressed');
    }
  });
}

const NO_CAUSE = { commentId: null, routineRunId: null, reason: null, payload: null };

export const insertWakeups = statement('insert-wakeups', {
  takes: { ids: 'uuid[]', agentIds: 'uuid[]', ...WAKE_CAUSE },
  gives: {},
  sql: (p) => `
    INSERT INTO agent_wakeup (id, company_id, agent_id, source, reason, issue_id, comment_id,
      routine_run_id, payload, hops, hinted_at, correlation_id, trace_context)
    SELECT woken.id, ${p.companyId}, woken.agent_id, ${p.source}, ${p.reason}, ${p.issueId},
      ${p.commentId}, ${p.routineRunId}, ${p.payload}, ${p.hops}, now(), ${p.correlationId},
      ${p.traceContext}
    FROM unnest(${p.ids}, ${p.agentIds}) AS woken(id, agent_id)`,
});

/**
 * SQL: inserts one wake per row of `from`, in the statement that causes it. Call `hintWakeup`
 * afterwards.
 */
export function insertWakeupSql(
  p: Readonly<Record<'wakeupId' | 'correlationId' | 'traceContext', string>>,
  wake: Record<'from' | 'companyId' | 'agentId' | 'issueId' | 'hops', string> & {
    source: RunSource;
  },
): string {
  return `INSERT INTO agent_wakeup
      (id, company_id, agent_id, source, issue_id, hops, hinted_at, correlation_id, trace_context)
    SELECT ${p.wakeupId}, ${wake.companyId}, ${wake.agentId}, '${wake.source}', ${wake.issueId}, ${wake.hops}, now(),
      ${p.correlationId}, ${p.traceContext} FROM ${wake.from}`;
}

export async function hintWakeup({ db, context }: Call, wakeupId: string): Promise<void> {
  const told = () => context.hints.hint('mention-wakeups', { wakeupId });
  if (db.transaction) db.transaction.afterCommit(told);
  else await told();
}

const insertIssueWakeups = statement('insert-issue-wakeups', {
  takes: {
    wakes: 'json',
    companyId: 'uuid',
    source: 'text',
    correlationId: 'text?',
    traceContext: 'text?',
  },
  gives: {},
  sql: (p) => `
    INSERT INTO agent_wakeup (id, company_id, agent_id, source, reason, issue_id, payload, hops,
      hinted_at, correlation_id, trace_context)
    SELECT w.id, ${p.companyId}, w."agentId", ${p.source}, w.reason, w."issueId", w.payload, w.hops,
      now(), ${p.correlationId}, ${p.traceContext}
    FROM jsonb_to_recordset(${p.wakes}) AS w
      (id uuid, "agentId" uuid, "issueId" uuid, reason text, payload jsonb, hops int)`,
});
