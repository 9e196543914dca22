import type { SimAccount } from './account';
import type { SimMarket } from './market';

export interface SimRequest {
  method: string;
  path: string;
  search: string;
  query: URLSearchParams;
  body: string;
  header(name: string): string | undefined;
}

export interface SimResponse {
  status: number;
  body: unknown;
}

export interface SimWorld {
  account: SimAccount;
  markets: readonly SimMarket[];
  now(): number;
}

export interface Dialect {
  (world: SimWorld, request: SimRequest): SimResponse | null;
  keys?(): Pick<SimAccount, 'apiKey' | 'secret'>;
}

export const ok = (body: unknown): SimResponse => ({ status: 200, body });
