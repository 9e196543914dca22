import type { Redis } from 'ioredis';

const MAX_WAITING = 1_000;

/**
 * Interval in ms. One nudge per topic and interval is enough, because listeners read everything
 * that is new.
 */
const QUIET_MS = 5;

export interface Nudges {
  /** Never throws and never waits; nudges may be lost. */
  publish(topics: Iterable<string>): void;
  /** Calls `onNudge` for each nudge, and whenever nudges may have been lost. */
  subscribe(topic: string, onNudge: () => void): () => void;
}

export function openNudges(
  connections: { producer: Redis; subscriber: Redis },
  prefix: string,
): Nudges {
  const { producer, subscriber } = connections;
  const listeners = new Map<string, Set<() => void>>();
  let waiting = 0;

  const recent = new Map<string, boolean>();
  const send = (topic: string) => {
    if (waiting >= MAX_WAITING) return;
    waiting++;
    producer
      .publish(`${prefix}:company:${topic}`, topic)
      .catch(() => undefined)
      .finally(() => waiting--);
    recent.set(topic, false);
    setTimeout(() => {
      const hasNews = recent.get(topic);
      recent.delete(topic);
      if (hasNews) send(topic);
    }, QUIET_MS).unref();
  };

  const nudge = (channel: string) => {
    for (const listener of listeners.get(channel) ?? []) listener();
  };
  const listen = async (channels: string[]) => {
    if (channels.length === 0 || subscriber.status !== 'ready') return;
    await subscriber.subscribe(...channels).catch(() => undefined);
    for (const channel of channels) nudge(channel);
  };
  subscriber.on('message', nudge);
  subscriber.on('ready', () => void listen([...listeners.keys()]));

  return {
    publish: (topics) => {
      for (const topic of topics) {
        if (recent.has(topic)) recent.set(topic, true);
        else send(topic);
      }
    },

    subscribe: (topic, onNudge) => {
      const channel = `${prefix}:company:${topic}`;
      const known = listeners.get(channel);
      if (known) known.add(onNudge);
      else {
        listeners.set(channel, new Set([onNudge]));
        if (subscriber.status === 'wait') subscriber.connect().catch(() => undefined);
        void listen([channel]);
      }
      return () => {
        const present = listeners.get(channel);
        if (!present?.delete(onNudge) || present.size > 0) return;
        listeners.delete(channel);
        if (subscriber.status === 'ready') subscriber.unsubscribe(channel).catch(() => undefined);
      };
    },
  };
}
