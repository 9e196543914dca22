import { Client, Pool, type PoolConfig } from 'pg';
import { retryConflicts } from './retry-conflicts';

export interface PoolOptions {
  url: string;
  size: number;
  applicationName: string;
  onIdleError(error: Error): void;
}

/**
 * In ms. Limits every wait: for a connection, a lock and a statement (docs/guarantees.md, "The
 * connection pool cannot deadlock").
 */
const LIMITS = {
  connectionTimeoutMillis: 8_000,
  statement_timeout: 15_000,
  // Client-side limit in case the server does not reply; longer than the server's own limit. `pg`
  // closes the connection when this limit is reached.
  query_timeout: 20_000,
  lock_timeout: 8_000,
  idle_in_transaction_session_timeout: 30_000,
} satisfies PoolConfig;

/** Idle time in ms before the kernel probes a connection; Linux waits two hours by default. */
const KEEP_ALIVE_MS = 10_000;

/** `query` is a transaction of one statement, so a deadlock undoes it completely: it is repeated. */
class RetryingPool extends Pool {
  override query(...asked: [never]): never {
    return retryConflicts<unknown>(() => super.query(...asked)) as never;
  }
}

export function openPool(options: PoolOptions): Pool {
  const pool = new RetryingPool({
    ...LIMITS,
    connectionString: options.url,
    max: options.size,
    application_name: options.applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    // JIT is off: the planner's estimates include branches that never run, so PostgreSQL would
    // compile often. Compiling takes longer than any statement here.
    options: '-c jit=off',
    pipeline: true,
  });
  pool.on('error', options.onIdleError);
  // Prevents a crash if a message, e.g. that the database is stopping, arrives before the borrower
  // adds its own listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export async function connectAlone(options: {
  url: string;
  applicationName: string;
  timeoutMs: number;
  onLost(): void;
}): Promise<Client> {
  const client = new Client({
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.timeoutMs,
    query_timeout: options.timeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  client.on('error', options.onLost);
  await client.connect();
  return client;
}

export type { Client, Pool };
