import type { ErrorCode } from '@switchyard/types';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { TextBody } from './text-body';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A response with a status or headers of its own; a plain value is sent with the route's status. */
export class Reply<Body = unknown> {
  constructor(
    readonly body: Body,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

/** The names of a path's parameters: `'/issues/:issueId'` has `issueId`. */
export type ParameterOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParameterOf<`/${More}`>
    : Rest
  : never;

/** What the pipeline has established before a handler runs. `Extra` is the product's own part. */
export type RouteCall<Extra, Query, Body, Path extends string = string> = Extra & {
  params: Record<string extends Path ? string : ParameterOf<Path>, string>;
  query: Query;
  body: Body;
  request: Request;
  response: Response;
};

/** A body that was read into a place of its own. `toJSON` names what makes two of them the same. */
export interface Received {
  toJSON(): unknown;
  /** Called once the response is known: lets go of what was read unless a handler took it. Never rejects. */
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
  /** Its chapter of the documents. */
  tag?: string;
  access: Access;
  /** Status of a success. */
  status: number;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body of a success; documents and contract tests are made from it. */
  response?: z.ZodType;
  /** Successes beside `status`, and their bodies; null is nothing but headers. */
  otherResponses?: Readonly<Record<number, z.ZodType | null>>;
  /** The `data` of each event of a stream. */
  event?: z.ZodType;
  /** The error codes of its own verb, beside those that the pipeline adds to every route. */
  errors?: readonly ErrorCode[];
  /** Request headers that it alone looks at, and what each is for. */
  headers?: Readonly<Record<string, string>>;
  /** Response headers that a success of it alone may carry, and what each says. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Another content type that a success is had in, by `Accept`. */
  alternative?: string;
  /** The content type of a handler that writes the response itself (downloads, event streams). */
  streams?: string;
  /** True, or what the documents say of it, when the body may be other than JSON: `read` or the authentication reads it. */
  rawBody?: boolean | string;
  /** Reads a body that is not JSON, once the caller is admitted; its result is the call's body. */
  read?(call: RouteCall<Extra, unknown, undefined>): Promise<Received>;
  /** False when `Idempotency-Key` is not looked at: a response with a cookie has no replay, and some calls repeat themselves. */
  idempotent?: false;
  /** True when an archived company still accepts it. */
  allowArchived?: boolean;
  /** True when the verb refuses an archived company in the statement that writes, so that none has to be read before it. */
  refusesArchived?: true;
  /** True when an agent that is paused may still call it, though it writes. */
  allowPaused?: boolean;
  /** True when a person's token for programs does not do, because it is about people and their credentials. */
  browserOnly?: true;
  /** Waits for the world outside before the handler runs, while no transaction is open; the handler gets its result. */
  prepare?(call: RouteCall<Extra, unknown, unknown>): Promise<unknown>;
  handle(call: RouteCall<Extra, unknown, unknown>, prepared: unknown): Promise<unknown> | unknown;
}

/** A list's rows may be refined by its schema, so what a handler returns is what the schema takes in. */
type Returned<Result, Others> = Result | Reply<Result> | Reply<BodyOf<Others>> | Reply<TextBody>;

type MaybePromise<T> = T | Promise<T>;
export type Schemas = Readonly<Record<number, z.ZodType | null>>;
type BodyOf<Others> = Others[keyof Others] extends z.ZodType<infer Body> | null ? Body : never;

/** A route as its table writes it. */
export type RouteDeclaration<
  Extra,
  Access extends string,
  Path extends string,
  Query,
  Body,
  Result,
  Others,
  Found,
> = Omit<
  Route<Extra, Access>,
  | 'path'
  | 'handle'
  | 'status'
  | 'query'
  | 'body'
  | 'response'
  | 'otherResponses'
  | 'read'
  | 'prepare'
> & {
  path: Path;
  read?(call: RouteCall<Extra, unknown, undefined, Path>): Promise<Body & Received>;
  status?: number;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  response?: z.ZodType<Result>;
  otherResponses?: Others;
  prepare?(call: RouteCall<Extra, Query, Body, Path>): Promise<Found>;
  handle(
    call: RouteCall<Extra, Query, Body, Path>,
    prepared: Found,
  ): MaybePromise<Returned<NoInfer<Result>, NoInfer<Others>>>;
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
  return <
    const Path extends string,
    Query = Record<string, never>,
    Body = Record<string, never>,
    Result = unknown,
    Others extends Schemas = Record<never, never>,
    Found = undefined,
  >(
    declared: RouteDeclaration<Extra, Access, Path, Query, Body, Result, Others, Found>,
  ) => declareRoute<Extra, Access>(declared);
}

/** Gives a declared route what it leaves out; its types stay those of its declaration. */
export function declareRoute<Extra, Access extends string>(declared: {
  method: Method;
}): Route<Extra, Access> {
  return { status: DEFAULT_STATUS[declared.method], ...declared } as Route<Extra, Access>;
}
