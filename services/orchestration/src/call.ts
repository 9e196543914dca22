import { inTransaction as begin, type Database, type Transaction } from '@switchyard/db';
import type { JobPayload, QueueName } from '@switchyard/types';
import { type Actor, SYSTEM } from './access/actor';
import type { Context } from './context';
import { recordActivities } from './state/activity';

/**
 * Who acts, where and with what: the first parameter of every verb. `Company` is null where no company is named, e.g. for
 * whoever lists or founds companies.
 */
export interface Call<Company extends string | null = string> {
  readonly context: Context;
  readonly db: Database;
  readonly actor: Actor;
  readonly companyId: Company;
  /** The run that the caller acts in (`X-Service-Run-Id` or the run token's). */
  readonly runId: string | null;
}

/** A call inside its transaction; verbs that get one join it. */
export interface Tx<Company extends string | null = string> extends Call<Company>, Transaction {
  /**
   * Records that the caller did `action` to a row, e.g. `issue.released`, in this transaction. `details` carry no large
   * texts. The commit wakes the company's event streams.
   */
  record(action: string, entityId: string, details?: Record<string, unknown>): Promise<void>;
  /** Has workers told of a row after the commit; a hint that is lost is repeated by a sweep. */
  hint<Queue extends QueueName>(queue: Queue, payload: JobPayload<Queue>): void;
}

/** A call that the product makes on its own account, e.g. a worker's or a sweep's. */
export function systemCall<Company extends string | null = null>(
  context: Context,
  companyId: Company = null as Company,
): Call<Company> {
  return { context, db: context.db, actor: SYSTEM, companyId, runId: null };
}

/**
 * Runs `work` in one transaction, or joins the one that the call is already in. A deadlock starts it again, so it must
 * have no effect outside the database but by `tx.hint` and `tx.afterCommit`.
 */
export function inTransaction<T, Company extends string | null>(
  call: Call<Company>,
  work: (tx: Tx<Company>) => Promise<T>,
): Promise<T> {
  return begin(call.db, (transaction) => work(callInside(call, transaction)));
}

function callInside<Company extends string | null>(
  call: Call<Company>,
  transaction: Transaction,
): Tx<Company> {
  const { context, actor, companyId, runId } = call;
  const tx: Tx<Company> = {
    ...transaction,
    transaction,
    db: transaction,
    context,
    actor,
    companyId,
    runId,
    record: (action, entityId, details) =>
      recordActivities(tx, [
        { companyId: companyOf(call), actor, runId, action, entityId, details },
      ]),
    hint: (queue, payload) => transaction.afterCommit(() => context.hints.hint(queue, payload)),
  };
  return tx;
}

function companyOf({ companyId }: Call<string | null>): string {
  if (companyId === null) throw new Error('what no company is named for is recorded in none');
  return companyId;
}
