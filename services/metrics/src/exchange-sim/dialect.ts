import type { SimulatedMarket } from '../exchange/simulated/simulated-market';
import type { SimAccount } from './account';

export interface SimRequest {
  method: string;
  path: string;
  /** The text before parsing: what was signed. */
  search: string;
  query: URLSearchParams;
  body: string;
  header(name: string): string | undefined;
}

export interface SimAnswer {
  status: number;
  body: unknown;
}

export interface SimWorld {
  account: SimAccount;
  markets: ReadonlyMap<string, SimulatedMarket>;
  now(): number;
}

/** Answers like one exchange, or null for a path that it does not have. */
export type Dialect = (world: SimWorld, request: SimRequest) => SimAnswer | null;

export const ok = (body: unknown): SimAnswer => ({ status: 200, body });
