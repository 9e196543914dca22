import type { Request, Response } from 'express';
import type { z } from 'zod';

/** An answer; a text is sent as it is, with the content type that its headers name. */
export interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface Call<Query, Body> {
  query: Query;
  body: Body;
  request: Request;
  response: Response;
}

export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  /** Its name in the document and of the clients' calls; once given out it stays. */
  operation: string;
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** True when no body means an empty object. */
  bodyOptional?: boolean;
  /** What each documented status carries; a text names another content type than JSON. */
  answers: Record<number, z.ZodType | string>;
  /** The statuses that it refuses with, beside those of every endpoint. */
  refuses?: readonly number[];
  /** What the path's parameters are. */
  parameters?: Readonly<Record<string, string>>;
  /** Headers that a success may carry, and what each says. */
  answerHeaders?: Readonly<Record<string, string>>;
  /** True when it is answered without METRICS_TOKEN too. */
  isOpen?: boolean;
  /** Another content type that a success is had in, by `Accept`. */
  alternative?: string;
  handle(call: Call<unknown, unknown>): Promise<Reply>;
}

type Declared<Query, Body> = Omit<Endpoint, 'query' | 'body' | 'handle'> & {
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  handle(call: Call<Query, Body>): Promise<Reply>;
};

export function endpoint<Query = unknown, Body = unknown>(
  declared: Declared<Query, Body>,
): Endpoint {
  return declared as unknown as Endpoint;
}
