import { AsyncLocalStorage } from 'node:async_hooks';
import { Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import type { Prisma, PrismaClient } from './generated/orchestration/client';

const PRISMAS_OWN = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);
const LIMITS = { maxWait: 8_000, timeout: 20_000 };
const EMPTY = { rows: [], fields: [], rowCount: 0 };

type Send = (config: QueryConfig) => Promise<QueryResult>;

const transactionToJoin = new AsyncLocalStorage<Send>();

const joined = (send: Send) => ({
  on: () => undefined,
  removeListener: () => undefined,
  release: () => undefined,
  query: async (config: QueryConfig) => (PRISMAS_OWN.has(config.text) ? EMPTY : send(config)),
});

/**
 * The pool of Prisma's client. Inside `joinTransaction` it returns the connection of the open
 * transaction, so that prepared statements and Prisma can share a transaction.
 */
export class JoiningPool extends Pool {
  constructor(private readonly shared: Pool) {
    super({ max: 1 });
  }

  override async connect(): Promise<PoolClient> {
    const send = transactionToJoin.getStore();
    return send ? (joined(send) as never) : this.shared.connect();
  }

  override query(...asked: [never]): never {
    return this.shared.query(...asked) as never;
  }
}

export interface JoinedPrisma {
  client: Prisma.TransactionClient;
  leave(): Promise<void>;
}

export function joinTransaction(client: () => PrismaClient, send: Send): JoinedPrisma {
  let joining: Promise<Prisma.TransactionClient> | undefined;
  let left: Promise<unknown> | undefined;
  let leave = () => {};

  const join = () => {
    joining ??= new Promise((resolve, reject) => {
      const use = (inside: Prisma.TransactionClient) =>
        new Promise<void>((done) => {
          leave = done;
          resolve(inside);
        });
      left = transactionToJoin.run(send, () => client().$transaction(use, LIMITS)).catch(reject);
    });
    return joining;
  };
  const late = (path: string[]): unknown =>
    new Proxy(() => undefined, {
      get: (_, name: string) => late([...path, name]),
      apply: async (_, __, values: unknown[]) => {
        let at: object = await join();
        for (const name of path.slice(0, -1)) at = Reflect.get(at, name);
        return Reflect.get(at, path.at(-1) as string).apply(at, values);
      },
    });
  return {
    client: late([]) as Prisma.TransactionClient,
    leave: async () => {
      await joining?.catch(() => undefined);
      leave();
      await left;
    },
  };
}
