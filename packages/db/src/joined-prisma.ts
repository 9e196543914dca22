import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { QueryConfig, QueryResult } from 'pg';
import type { Prisma, PrismaClient } from './generated/orchestration/client';

/** Our transaction is begun and ended by us; what Prisma says of it is left out. */
const PRISMAS_OWN = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);
const LIMITS = { maxWait: 8_000, timeout: 20_000 };
const EMPTY = { rows: [], fields: [], rowCount: 0 };

type Send = (config: QueryConfig) => Promise<QueryResult>;

const transactionToJoin = new AsyncLocalStorage<Send>();

/** The part of the adapter's class that its published type leaves out. */
interface WithPool {
  client: { connect(): Promise<unknown> };
}

function joined(send: Send) {
  return {
    on: () => undefined,
    removeListener: () => undefined,
    release: () => undefined,
    query: async (config: QueryConfig) => (PRISMAS_OWN.has(config.text) ? EMPTY : send(config)),
  };
}

/**
 * Lets Prisma's client take part in a transaction that was begun on a connection of ours, so that a verb may use prepared
 * statements and Prisma in one transaction, and one that needs only the former pays nothing for the latter.
 */
export function adapterThatJoins(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      const start = adapter.startTransaction;
      adapter.startTransaction = (isolation) => {
        const send = transactionToJoin.getStore();
        if (!send) return start.call(adapter, isolation);
        const client: WithPool['client'] = { connect: async () => joined(send) };
        return start.call(Object.assign(Object.create(adapter), { client }), isolation);
      };
      return adapter;
    },
  };
}

export interface JoinedPrisma {
  client: Prisma.TransactionClient;
  /** Lets go of the transaction, whose end is the caller's. */
  leave(): Promise<void>;
}

/** Prisma's client inside the open transaction that `send` sends to, made when it is first used. */
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
        let at = (await join()) as unknown as Record<string, unknown>;
        for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
        return (at[path.at(-1) as string] as (...all: unknown[]) => unknown).apply(at, values);
      },
    });
  return {
    client: late([]) as Prisma.TransactionClient,
    leave: async () => {
      // Work that failed may have left behind a call that is still joining.
      await joining?.catch(() => undefined);
      leave();
      await left;
    },
  };
}
