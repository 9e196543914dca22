import type { SimAccount } from './account';
import type { SimMarket } from './market';

export interface SimRequest {
  method: string;
  path: string;
  /** The query as signed, before parsing. */
  search: string;
  query: URLSearchParams;
  body: string;
  header(name: string): string | undefined;
}

export interface SimResponse {
  status: number;
  /** Strings are sent unchanged, everything else as JSON. */
  body: unknown;
}

export interface SimWorld {
  account: SimAccount;
  markets: readonly SimMarket[];
  now(): number;
}

/** Answers like one exchange; null for an unknown path. */
export interface Dialect {
  (world: SimWorld, request: SimRequest): SimResponse | null;
  /** Keys, where the exchange has its own format. */
  keys?(): Pick<SimAccount, 'apiKey' | 'secret'>;
}

export const ok = (body: unknown): SimResponse => ({ status: 200, body });
