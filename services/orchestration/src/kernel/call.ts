import { inTransaction as begin, type Database, type Transaction } from '@switchyard/db';
import type { JobPayload, QueueName } from '@switchyard/types';
import { recordActivities } from './activity';
import { type Actor, SYSTEM } from './actor';
import type { Context } from './context';

/** First parameter of every verb. `Company` is null for calls without a company. */
export interface Call<Company extends string | null = string> {
  readonly context: Context;
  readonly db: Database;
  readonly actor: Actor;
  readonly companyId: Company;
  readonly runId: string | null;
}

export interface Tx<Company extends string | null = string> extends Call<Company>, Transaction {
  /**
   * Records an activity in this transaction. `details` must not contain large texts. The commit
   * notifies the company's event streams.
   */
  record(action: string, entityId: string, details?: Record<string, unknown>): Promise<void>;
  /** Sends a hint after the commit; a sweep replaces lost hints. */
  hint<Queue extends QueueName>(queue: Queue, payload: JobPayload<Queue>): void;
}

export function systemCall<Company extends string | null = null>(
  context: Context,
  companyId: Company = null as Company,
): Call<Company> {
  return { context, db: context.db, actor: SYSTEM, companyId, runId: null };
}

/**
 * Runs `work` in one transaction, or in the call's own transaction if it has one. A deadlock
 * repeats `work`, so effects outside the database must use `tx.hint` or `tx.afterCommit`.
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
  if (companyId === null) throw new Error('cannot record activity: the call has no company');
  return companyId;
}
