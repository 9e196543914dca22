import { Redis, type RedisOptions } from 'ioredis';

export interface QueueConnections {
  /** Fails immediately while Redis is unreachable, because a request must not wait for a hint. */
  producer: Redis;
  consumer: Redis;
  subscriber: Redis;
  close(): Promise<void>;
}

/** If Redis does not reply to a command within this time in ms, the connection is replaced. */
const SILENCE_MS = 10_000;

/** In ms; longer than a BullMQ worker's blocking call, which lasts up to 10 s. */
const BLOCKING_SILENCE_MS = 15_000;

const PING_MS = 5_000;

/**
 * Pings both connections, because an idle connection does not notice an outage. Returns the
 * function that stops the pings.
 */
function pingRegularly(connections: Redis[]): () => void {
  const timer = setInterval(() => {
    for (const connection of connections) {
      if (connection.status === 'ready') connection.ping().catch(() => undefined);
    }
  }, PING_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export function connectQueues(
  url: string,
  onError: (error: Error) => void,
  ca?: string,
): QueueConnections {
  const tls = tlsOf(url, ca);
  const producer = new Redis(url, {
    ...tls,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 2_000,
    socketTimeout: SILENCE_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  const consumer = new Redis(url, {
    ...tls,
    maxRetriesPerRequest: null,
    socketTimeout: BLOCKING_SILENCE_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  const subscriber = new Redis(url, {
    ...tls,
    lazyConnect: true,
    autoResubscribe: false,
    enableOfflineQueue: false,
    connectTimeout: 2_000,
    socketTimeout: SILENCE_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  const all = [producer, consumer, subscriber];
  for (const connection of all) connection.on('error', onError);
  const stopPings = pingRegularly(all);
  return {
    producer,
    consumer,
    subscriber,
    close: async () => {
      stopPings();
      for (const connection of all) connection.disconnect();
    },
  };
}

/**
 * Opens the connection for sessions and counters. Requests wait for Redis here, so each command
 * succeeds or fails within a second.
 */
export function connectShared(url: string, onError: (error: Error) => void, ca?: string): Redis {
  const tls = tlsOf(url, ca);
  const shared = new Redis(url, {
    ...tls,
    lazyConnect: true,
    commandTimeout: 1_000,
    socketTimeout: SILENCE_MS,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  shared.on('error', onError);
  return shared;
}

const tlsOf = (url: string, ca: string | undefined): Pick<RedisOptions, 'tls'> =>
  ca !== undefined && url.startsWith('rediss:') ? { tls: { ca } } : {};
