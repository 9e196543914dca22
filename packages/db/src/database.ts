import type { Pool, QueryConfig } from 'pg';
import type { Prisma, PrismaClient } from './generated/orchestration/client';
import type { PoolOptions } from './pool';

export interface Database {
  readonly prisma: Prisma.TransactionClient;
  readonly transaction: Transaction | null;
  query(config: QueryConfig): Promise<unknown[]>;
}

declare const inside: unique symbol;

export type AfterCommit = () => void | Promise<void>;

export interface Transaction extends Database {
  readonly [inside]: true;
  readonly transaction: Transaction;
  afterCommit(action: AfterCommit): void;
  announce(topic: string): void;
}

export interface DatabaseOptions extends PoolOptions {
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
