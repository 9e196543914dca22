import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { Prisma, PrismaClient } from './generated/orchestration/client';
import { openPool, type PoolOptions } from './pool';
import { createStatementNames } from './statement-names';

declare const inside: unique symbol;

/** A client inside a transaction. Branded: a plain client cannot be passed where one is needed. */
export type Tx = Prisma.TransactionClient & { readonly [inside]: true };

/** Reads that may run inside or outside a transaction. */
export type Reader = Prisma.TransactionClient;

/**
 * A way to the database: the whole pool, or (`tx` set) one transaction that is already open, so that a
 * verb joins it without knowing.
 */
export interface Database {
  readonly prisma: Reader;
  readonly tx: Tx | null;
  /** One prepared statement; the way of hot paths. Counts must be cast to int or float8. */
  rows<Row>(name: string, sql: string, values: unknown[]): Promise<Row[]>;
}

export interface DatabaseOptions extends PoolOptions {
  /** Told after each commit which topics its transaction named; must not throw and is not awaited. */
  announce?(topics: ReadonlySet<string>): void;
  /** Told after each commit what its transaction counted; must not throw. */
  count?(name: string): void;
}

export interface OpenDatabase extends Database {
  readonly tx: null;
  announce(topics: ReadonlySet<string>): void;
  count(name: string): void;
  readonly client: PrismaClient;
  readonly pool: Pool;
  close(): Promise<void>;
}

export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const pool = openPool(options);
  let client: PrismaClient | undefined;
  /** Made on first use: it costs a process 25 MB, and its first query 50 MB more. */
  const prisma = () => {
    client ??= new PrismaClient({
      adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }),
      errorFormat: 'minimal',
    });
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
    tx: null,
    announce: (topics) => options.announce?.(topics),
    count: (name) => options.count?.(name),
    rows: async <Row>(name: string, text: string, values: unknown[]) =>
      (await pool.query({ name, text, values })).rows as Row[],
    close: async () => {
      await client?.$disconnect();
      await pool.end();
    },
  };
}

export function databaseInside(tx: Tx): Database {
  return {
    prisma: tx,
    tx,
    rows: <Row>(_name: string, sql: string, values: unknown[]) =>
      tx.$queryRawUnsafe<Row[]>(sql, ...values),
  };
}

export { Prisma, PrismaClient };
