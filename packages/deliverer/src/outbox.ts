/** One request that is due. */
export interface Due {
  id: string;
  /** Requests of one queue share few connections, so that a slow receiver delays only itself. */
  queue: string;
  /** Equal in every attempt; receivers drop what they have seen. */
  webhookId: string;
  /** Those that failed. */
  attempts: number;
  url: string;
  headers?: Record<string, string>;
  /** Without a key the request is not signed. */
  keys: readonly Buffer[];
  body: string;
}

export interface Answer {
  /** Null without an answer. */
  status: number | null;
  /** Without the address, which may hold a secret of the receiver; null after a 2xx. */
  error: string | null;
  text: string;
  durationMs: number;
}

/** `gone`: the receiver answered 410 and wants nothing further. */
export type Outcome = Answer &
  ({ kind: 'delivered' | 'gone' | 'given_up' } | { kind: 'retry'; afterMs: number });

/** Where requests wait; a table of the service's own. */
export interface Outbox<D extends Due> {
  /**
   * Claims at most `room` requests that are due, at most one of each queue and none of `except`. A claim hides the request
   * from all processes for longer than an attempt takes.
   */
  claim(options: { room: number; except: readonly string[] }): Promise<D[]>;
  /** Records what came of a claim, unless the claim has run out and another process has the request. */
  settle(due: D, outcome: Outcome): Promise<void>;
}
