import type { SimAccount } from './account';
import type { SimMarket } from './market';

export interface SimRequest {
  method: string;
  path: string;
  /** The text before parsing: what was signed. */
  search: string;
  query: URLSearchParams;
  body: string;
  header(name: string): string | undefined;
}

export interface SimResponse {
  status: number;
  /** Text is sent as it is, all else as JSON. */
  body: unknown;
}

export interface SimWorld {
  account: SimAccount;
  markets: readonly SimMarket[];
  now(): number;
}

/** Answers like one exchange, or null for a path that it does not have. */
export interface Dialect {
  (world: SimWorld, request: SimRequest): SimResponse | null;
  /** Where its keys have a form of their own. */
  keys?(): Pick<SimAccount, 'apiKey' | 'secret'>;
}

export const ok = (body: unknown): SimResponse => ({ status: 200, body });
