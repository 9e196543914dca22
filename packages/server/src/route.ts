import type { Request, Response } from 'express';
import type { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a handler answers; a plain value is answered with the route's own status. */
export class Answer {
  constructor(
    readonly body: unknown,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/** What the pipeline has established before a handler runs. `Extra` is the product's own part. */
export type Call<Extra, Query, Body> = Extra & {
  params: Record<string, string>;
  query: Query;
  body: Body;
  request: Request;
  response: Response;
};

/** A body that was read into a place of its own. `toJSON` names what makes two of them the same. */
export interface Received {
  toJSON(): unknown;
  /** Called once the answer is known: lets go of what was read unless a handler took it. Never rejects. */
  discard(): Promise<void>;
}

export interface Route<Extra = unknown, Access extends string = string> {
  method: Method;
  /** Express path with `:name` parameters. */
  path: string;
  access: Access;
  /** Status of a success. */
  status: number;
  query?: z.ZodType;
  body?: z.ZodType;
  /** What a success looks like; documents and contract tests are made from it. */
  answer?: z.ZodType;
  /** True when the handler writes the response itself (downloads, event streams). */
  streams?: boolean;
  /** True when the body is not JSON and the handler reads it. */
  rawBody?: boolean;
  /** Reads a body that is not JSON, once the caller is admitted; its answer is the call's body. */
  read?(call: Call<Extra, unknown, undefined>): Promise<Received>;
  /** True when an `Idempotency-Key` is not looked at, because the answer is a cookie and no replay has one. */
  unkeyed?: boolean;
  /** True when the handler counts the request for its sender, whom only the handler can know. */
  countsItself?: boolean;
  /** True when an archived company still accepts it. */
  allowArchived?: boolean;
  handle(call: Call<Extra, unknown, unknown>): Promise<unknown> | unknown;
}

type Declared<Extra, Access extends string, Query, Body> = Omit<
  Route<Extra, Access>,
  'handle' | 'status' | 'query' | 'body' | 'read'
> & {
  read?(call: Call<Extra, unknown, undefined>): Promise<Body & Received>;
  status?: number;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  handle(call: Call<Extra, Query, Body>): Promise<unknown> | unknown;
};

const DEFAULT_STATUS: Record<Method, number> = {
  GET: 200,
  POST: 201,
  PUT: 200,
  PATCH: 200,
  DELETE: 204,
};

/** A typed way to write routes for one product: `const route = routesFor<Extra, Access>()`. */
export function routesFor<Extra, Access extends string>() {
  return <Query = Record<string, never>, Body = Record<string, never>>(
    declared: Declared<Extra, Access, Query, Body>,
  ): Route<Extra, Access> =>
    ({ status: DEFAULT_STATUS[declared.method], ...declared }) as Route<Extra, Access>;
}
