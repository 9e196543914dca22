export interface Due {
  id: string;
  /** Requests of one queue share few connections, so that a slow receiver delays only itself. */
  queue: string;
  /** The receivers of one owner never take all places. */
  owner: string;
  /** Equal in every attempt, so that receivers can drop duplicates. */
  webhookId: string;
  attempts: number;
  url: string;
  headers?: Record<string, string>;
  /** The request is not signed without a key. */
  keys: readonly Buffer[];
  body: string;
}

export interface Answer {
  status: number | null;
  /** Without the address, which may contain a secret; null after a 2xx. */
  error: string | null;
  text: string;
  durationMs: number;
}

/** `gone`: the receiver answered 410. */
export type Outcome = Answer &
  ({ kind: 'delivered' | 'gone' | 'given_up' } | { kind: 'retry'; afterMs: number });

export interface ClaimOptions {
  room: number;
  perOwner: number;
  except: readonly string[];
  exceptOwners: readonly string[];
}

export interface Outbox<D extends Due> {
  /**
   * Claims at most `room` due requests, at most one per queue. A claim hides the request from other
   * processes for longer than an attempt takes.
   */
  claim(options: ClaimOptions): Promise<D[]>;
  /** Records the outcome, unless the claim has expired and another process has the request. */
  settle(due: D, outcome: Outcome): Promise<void>;
}
