import { Redis } from 'ioredis';

export interface QueueConnections {
  /** Fails at once while Redis is away: a request must not wait for a hint. */
  producer: Redis;
  /** Waits for Redis to come back: a worker has nothing else to do. */
  consumer: Redis;
  /** Receives nudges; connected when the first subscription asks for it. */
  subscriber: Redis;
  close(): Promise<void>;
}

export function connectQueues(url: string, onError: (error: Error) => void): QueueConnections {
  const producer = new Redis(url, {
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  const consumer = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  const subscriber = new Redis(url, {
    lazyConnect: true,
    autoResubscribe: false,
    enableOfflineQueue: false,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  for (const connection of [producer, consumer, subscriber]) connection.on('error', onError);
  return {
    producer,
    consumer,
    subscriber,
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
      subscriber.disconnect();
    },
  };
}

/**
 * For what all API processes share and a request waits for (sessions, counters): waits for the first
 * connection, and answers or fails within a second. Connected by its first command.
 */
export function connectShared(url: string, onError: (error: Error) => void): Redis {
  const shared = new Redis(url, {
    lazyConnect: true,
    commandTimeout: 1_000,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  });
  shared.on('error', onError);
  return shared;
}
