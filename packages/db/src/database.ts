import type { Pool, QueryConfig } from 'pg';
import type { Prisma, PrismaClient } from './generated/orchestration/client';
import type { PoolOptions } from './pool';

/** The whole pool, or one open transaction (`transaction` set): a verb joins it without knowing. */
export interface Database {
  /** For quiet routes; inside a transaction it is made when it is first used. */
  readonly prisma: Prisma.TransactionClient;
  readonly transaction: Transaction | null;
  /** Sends one statement; `ask` and `trip` are the typed ways to it. */
  query(config: QueryConfig): Promise<unknown[]>;
}

declare const inside: unique symbol;

export type AfterCommit = () => void | Promise<void>;

/** A transaction that is open. Branded: the pool cannot be passed where one is needed. */
export interface Transaction extends Database {
  readonly [inside]: true;
  readonly transaction: Transaction;
  /** Runs after the commit, and never when the transaction is rolled back. */
  afterCommit(action: AfterCommit): void;
  /** Has `topic` announced after the commit, once however often one transaction asks for it. */
  announce(topic: string): void;
}

export interface DatabaseOptions extends PoolOptions {
  /** Called after each commit with the topics that its transaction named; must not throw and is not awaited. */
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
