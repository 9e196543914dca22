import { afterCommit, ask, type Database, type RowOf, statement } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { LeaseState } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { releasedSql } from '../requeue-run';
import { isInstanceOfSql } from './instance-of';

export interface Ticket {
  runId: string;
  ticketHash: Uint8Array<ArrayBuffer>;
  runnerId: string | null;
}

export const TICKET = { runId: 'uuid', ticketHash: 'bytes', runnerId: 'uuid?' } as const;

export const isHeldBySql = (run: string, p: Readonly<Record<keyof typeof TICKET, string>>) =>
  `(${run}.id = ${p.runId} AND ${run}.ticket_hash = ${p.ticketHash}
    AND ${isInstanceOfSql(`${run}.runner_instance`, p.runnerId)})`;

export function staleTicket() {
  const message =
    'the ticket is not valid for the current claim of the run: the claim has ended, or another process holds the run';
  return conflict('stale_ticket', message, { retry: false });
}

export type HeldRun = RowOf<typeof readHeld>;

export async function heldRun(db: Database, ticket: Ticket): Promise<HeldRun> {
  const [run] = await ask(db, readHeld, { ...ticket });
  if (!run) throw staleTicket();
  return run;
}

const readHeld = statement('read-held-run', {
  takes: TICKET,
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    status: 'text',
    epoch: 'int',
    issueId: 'uuid?',
    routineRunId: 'uuid?',
    hops: 'int',
    retries: 'int',
    wakeReasons: 'json',
    adapterType: 'text?',
    instance: 'uuid?',
    usageSeq: 'int',
    logBytes: 'int',
    ranForMs: 'bigint',
    isCancelRequested: 'bool',
    correlationId: 'text?',
    traceContext: 'text?',
  },
  sql: (p) => `
    SELECT r.id, r.company_id AS "companyId", r.agent_id AS "agentId", r.status, r.epoch,
      r.issue_id AS "issueId", r.routine_run_id AS "routineRunId", r.hops, r.retries,
      r.wake_reasons AS "wakeReasons", r.adapter_type AS "adapterType",
      r.runner_instance AS instance, r.usage_seq AS "usageSeq",
      r.log_bytes AS "logBytes",
      coalesce(extract(epoch FROM clock_timestamp() - r.started_at) * 1000, 0)::bigint AS "ranForMs",
      r.cancel_requested_at IS NOT NULL AS "isCancelRequested",
      r.correlation_id AS "correlationId", r.trace_context AS "traceContext"
    FROM heartbeat_run r WHERE ${isHeldBySql('r', p)}`,
});

/**
 * Renews the leases of a runner and returns the state of each. An expired lease is renewed too,
 * unless another worker has taken the run. Writes a row at most once per third of its lease.
 */
export async function renewLeases(
  db: Database,
  held: { instance: string; runnerId: string | null; leaseMs: number },
  runs: { runId: string; epoch: number }[],
): Promise<Map<string, LeaseState>> {
  const rows = await ask(db, renew, {
    ...held,
    runIds: runs.map(({ runId }) => runId),
    epochs: runs.map(({ epoch }) => epoch),
  });
  return new Map(rows.map(({ runId, isCancelled }) => [runId, isCancelled ? 'cancelled' : 'held']));
}

const renew = statement('renew-leases-of-runner', {
  takes: {
    instance: 'uuid',
    runnerId: 'uuid?',
    leaseMs: 'int',
    runIds: 'uuid[]',
    epochs: 'int[]',
  },
  gives: { runId: 'uuid', isCancelled: 'bool' },
  sql: (p) => `
    WITH held AS (
      SELECT r.id, r.epoch, r.cancel_requested_at IS NOT NULL AS is_cancelled
      FROM heartbeat_run r JOIN unnest(${p.runIds}, ${p.epochs}) AS named(id, epoch)
        ON r.id = named.id AND r.epoch = named.epoch
      WHERE r.status = 'running' AND r.runner_instance = ${p.instance}
        AND ${isInstanceOfSql(p.instance, p.runnerId)}
    ), renewed AS (
      UPDATE heartbeat_run r
      SET lease_expires_at = clock_timestamp() + ${p.leaseMs} * interval '1 millisecond'
      FROM held WHERE r.id = held.id AND r.epoch = held.epoch AND r.status = 'running'
        AND r.runner_instance = ${p.instance}
        AND r.lease_expires_at < clock_timestamp() + ${p.leaseMs} * interval '1 millisecond' * 2 / 3
    )
    SELECT id AS "runId", is_cancelled AS "isCancelled" FROM held`,
});

/**
 * Releases the runs of these runner instances. Keeps the runs in `except`, and runs handed out by
 * request `givenBefore` or a later one. Each release counts as one loss.
 */
export async function letGoOfRuns(
  { context, db }: Pick<Call<string | null>, 'context' | 'db'>,
  { instances, ...which }: { instances: string[]; except: string[]; givenBefore: number | null },
): Promise<void> {
  if (instances.length === 0) return;
  const rows = await ask(db, letGo, { instances, ...which });
  if (rows.length === 0) return;
  afterCommit(db, async () => {
    await Promise.all(rows.map(({ id }) => context.hints.hint('heartbeat-runs', { runId: id })));
  });
}

const letGo = statement('let-go-of-runs', {
  takes: { instances: 'uuid[]', except: 'uuid[]', givenBefore: 'int?' },
  gives: { id: 'uuid' },
  sql: ({ instances, except, givenBefore }) => `
    UPDATE heartbeat_run SET ${releasedSql("'loss'")}
    WHERE runner_instance = ANY (${instances}) AND status = 'running' AND id <> ALL (${except})
      AND (${givenBefore} IS NULL OR next_seq < ${givenBefore})
    RETURNING id`,
});
