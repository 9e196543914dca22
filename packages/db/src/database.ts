import type { Pool, QueryConfig } from 'pg';
import type { Prisma, PrismaClient } from './generated/orchestration/client';
import { adapterThatJoins } from './joined-prisma';
import { openPool, type PoolOptions } from './pool';
import { rowsOf } from './statements/prepared-query';
import { createStatementNames } from './statements/statement-names';

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

export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const pool = openPool(options);
  const createClient = loadClient();
  let client: PrismaClient | undefined;
  /** Made on first use: it costs a process 25 MB, and its first query 50 MB more. */
  const prisma = () => {
    client ??= createClient(pool);
    return client;
  };
  return {
    get prisma() {
      return prisma();
    },
    get client() {
      return prisma();
    },
    pool,
    transaction: null,
    announce: (topics) => options.announce?.(topics),
    query: (config) => rowsOf(pool, config),
    close: async () => {
      await client?.$disconnect();
      await pool.end();
    },
  };
}

/**
 * Loaded when a database is opened, not with this file: the metrics service imports it, never opens that database, and so
 * needs 6 MB less.
 */
function loadClient(): (pool: Pool) => PrismaClient {
  const { PrismaPg } = require('@prisma/adapter-pg') as typeof import('@prisma/adapter-pg');
  const generated =
    require('./generated/orchestration/client') as typeof import('./generated/orchestration/client');
  return (pool) => {
    const adapter = new PrismaPg(pool, { statementNameGenerator: createStatementNames() });
    return new generated.PrismaClient({
      adapter: adapterThatJoins(adapter),
      errorFormat: 'minimal',
    });
  };
}

export type { Prisma };
