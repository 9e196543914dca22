export interface Due {
  id: string;
  /**
   * Requests of one queue share few connections, so that a slow receiver delays only its own queue.
   */
  queue: string;
  owner: string;
  /** The same for every attempt, so that receivers can drop duplicates. */
  webhookId: string;
  attempts: number;
  url: string;
  headers?: Record<string, string>;
  keys: readonly Buffer[];
  body: string;
  /** W3C `traceparent` of the request that caused the work; null if unknown. */
  traceContext?: string | null;
}

export interface Answer {
  status: number | null;
  /** Omits the URL, because it may contain a secret; null after a 2xx. */
  error: string | null;
  text: string;
  durationMs: number;
}

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
   * Claims at most `room` due requests, one per queue. A claim hides a request from other processes
   * for longer than an attempt can take.
   */
  claim(options: ClaimOptions): Promise<D[]>;
  settle(due: D, outcome: Outcome): Promise<void>;
}
