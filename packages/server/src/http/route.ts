import type { ErrorCode } from '@switchyard/types';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { TextBody } from './text-body';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export class Reply<Body = unknown> {
  constructor(
    readonly body: Body,
    readonly options: { status?: number; headers?: Record<string, string> } = {},
  ) {}
}

export type ParameterOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParameterOf<`/${More}`>
    : Rest
  : never;

export type RouteCall<Extra, Query, Body, Path extends string = string> = Extra & {
  params: Record<string extends Path ? string : ParameterOf<Path>, string>;
  query: Query;
  body: Body;
  request: Request;
  response: Response;
};

/**
 * A body that was stored instead of parsed. `toJSON` returns a value that identifies the content.
 */
export interface Received {
  toJSON(): unknown;
  discard(): Promise<void>;
}

export interface Route<Extra = unknown, Access extends string = string> {
  method: Method;
  path: string;
  operation: string;
  summary: string;
  tag?: string;
  access: Access;
  status: number;
  query?: z.ZodType;
  body?: z.ZodType;
  response?: z.ZodType;
  otherResponses?: Readonly<Record<number, z.ZodType | null>>;
  event?: z.ZodType;
  errors?: readonly ErrorCode[];
  headers?: Readonly<Record<string, string>>;
  responseHeaders?: Readonly<Record<string, string>>;
  alternative?: string;
  streams?: string;
  /**
   * Set if the body need not be JSON: true, or a description for the documents. `read` or the
   * authentication then reads the body.
   */
  rawBody?: boolean | string;
  /** Bytes of a JSON body; 2 MiB by default. */
  bodyLimit?: number;
  read?(call: RouteCall<Extra, unknown, undefined>): Promise<Received>;
  /**
   * False if `Idempotency-Key` is ignored: a response with a cookie cannot be replayed, and some
   * calls are already idempotent.
   */
  idempotent?: false;
  allowArchived?: boolean;
  /** True if the writing statement itself rejects an archived company; this saves a read. */
  refusesArchived?: true;
  /** True if the reading statement itself omits rows of a deleted company; this saves a read. */
  refusesDeleted?: true;
  allowPaused?: boolean;
  /**
   * True if personal access tokens are rejected, because the route manages people and their
   * credentials.
   */
  browserOnly?: true;
  /**
   * Waits for external systems before the handler runs, while no transaction is open; the handler
   * receives the result.
   */
  prepare?(call: RouteCall<Extra, unknown, unknown>): Promise<unknown>;
  handle(call: RouteCall<Extra, unknown, unknown>, prepared: unknown): Promise<unknown> | unknown;
}

type Returned<Result, Others> = Result | Reply<Result> | Reply<BodyOf<Others>> | Reply<TextBody>;

type MaybePromise<T> = T | Promise<T>;
export type Schemas = Readonly<Record<number, z.ZodType | null>>;
type BodyOf<Others> = Others[keyof Others] extends z.ZodType<infer Body> | null ? Body : never;

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

export function declareRoute<Extra, Access extends string>(declared: {
  method: Method;
}): Route<Extra, Access> {
  return { status: DEFAULT_STATUS[declared.method], ...declared } as Route<Extra, Access>;
}
