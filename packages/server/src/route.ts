import type { ErrorCode } from '@switchyard/types';
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
  /** Its name in the documents and of the clients' calls; once given out it stays. */
  operation: string;
  /** One line that says what it does, as a caller would ask for it. */
  summary: string;
  /** The chapter of the documents that it stands in. */
  tag?: string;
  access: Access;
  /** Status of a success. */
  status: number;
  query?: z.ZodType;
  body?: z.ZodType;
  /** What a success looks like; documents and contract tests are made from it. */
  answer?: z.ZodType;
  /** Successes beside `status`, and what they carry; null is nothing but headers. */
  others?: Readonly<Record<number, z.ZodType | null>>;
  /** The codes that its own verb refuses with, beside those that the pipeline adds to every route. */
  refuses?: readonly ErrorCode[];
  /** Request headers that it alone looks at, and what each is for. */
  headers?: Readonly<Record<string, string>>;
  /** The content type of a handler that writes the response itself (downloads, event streams). */
  streams?: string;
  /** True, or what the documents say of it, when the body may be other than JSON and the handler reads it. */
  rawBody?: boolean | string;
  /** Reads a body that is not JSON, once the caller is admitted; its answer is the call's body. */
  read?(call: Call<Extra, unknown, undefined>): Promise<Received>;
  /** True when an `Idempotency-Key` is not looked at, because the answer is a cookie and no replay has one. */
  unkeyed?: boolean;
  /** True when the handler counts the request for its sender, whom only the handler can know. */
  countsItself?: boolean;
  /** True when an archived company still accepts it. */
  allowArchived?: boolean;
  /** True when an agent that is paused may still call it, though it writes. */
  allowPaused?: boolean;
  /** Waits for the world outside before the handler runs, while no transaction is open; the handler gets what it found. */
  explore?(call: Call<Extra, unknown, unknown>): Promise<unknown>;
  handle(call: Call<Extra, unknown, unknown>, found: unknown): Promise<unknown> | unknown;
}

type Declared<Extra, Access extends string, Query, Body, Found> = Omit<
  Route<Extra, Access>,
  'handle' | 'status' | 'query' | 'body' | 'read' | 'explore'
> & {
  read?(call: Call<Extra, unknown, undefined>): Promise<Body & Received>;
  status?: number;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  explore?(call: Call<Extra, Query, Body>): Promise<Found>;
  handle(call: Call<Extra, Query, Body>, found: Found): Promise<unknown> | unknown;
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
  return <Query = Record<string, never>, Body = Record<string, never>, Found = undefined>(
    declared: Declared<Extra, Access, Query, Body, Found>,
  ): Route<Extra, Access> =>
    ({ status: DEFAULT_STATUS[declared.method], ...declared }) as Route<Extra, Access>;
}
