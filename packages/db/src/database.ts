import type { Pool, QueryConfig } from 'pg';
import type { Prisma, PrismaClient } from './generated/orchestration/client';
import type { PoolOptions } from './pool';

/** The pool, or one open transaction (`transaction` is set) that the verb joins. */
export interface Database {
  /** Client for quiet routes; inside a transaction it is created on first use. */
  readonly prisma: Prisma.TransactionClient;
  readonly transaction: Transaction | null;
  /** Sends one statement; `ask` and `trip` are the typed functions for it. */
  query(config: QueryConfig): Promise<unknown[]>;
}

declare const inside: unique symbol;

export type AfterCommit = () => void | Promise<void>;

/** An open transaction. Branded, so that the pool cannot be passed where one is needed. */
export interface Transaction extends Database {
  readonly [inside]: true;
  readonly transaction: Transaction;
  /** Runs after the commit; not after a rollback. */
  afterCommit(action: AfterCommit): void;
  /** Announces `topic` after the commit, once per transaction. */
  announce(topic: string): void;
}

export interface DatabaseOptions extends PoolOptions {
  /** Called after each commit with the topics of its transaction; must not throw and is not awaited. */
  announce?(topics: ReadonlySet<string>): void;
}

export interface OpenDatabase extends Database {
  readonly transaction: null;
  announce(topics: ReadonlySet<string>): void;
  readonly client: PrismaClient;
  readonly pool: Pool;
  close(): Promise<void>;
}

export type { Prisma };
