import { type Route, readText } from '@switchyard/server';
import type { Request } from 'express';
import type { z } from 'zod';
import { detailOf } from './detail';
import { InvalidRequest } from './invalid-request';

/** @throws InvalidRequest, also for a parameter that the route does not have: a misspelt filter would filter nothing */
export function readQuery({ query }: Pick<Route, 'query'>, request: Request): unknown {
  return query && check(query, { ...request.query }, 'query');
}

/** @throws InvalidRequest; no body is an empty object where that is enough */
export async function readBody({ body }: Pick<Route, 'body'>, request: Request): Promise<unknown> {
  if (!body) return undefined;
  const sent = await receive(request);
  const isEnough = sent === undefined && body.safeParse({}).success;
  return check(body, isEnough ? {} : sent, 'body');
}

const BODY_LIMIT = 256 * 1024;

/** The parsed JSON, the text of a body that is not JSON, or undefined when there is none. */
async function receive(request: Request): Promise<unknown> {
  const text = await readText(request, BODY_LIMIT);
  if (text.trim() === '') return undefined;
  const isJson = request.is(['application/json', 'application/*+json']);
  return isJson ? parseJson(text) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const error = 'the body is not valid JSON';
    throw new InvalidRequest([
      { type: 'json_invalid', loc: ['body'], msg: 'JSON decode error', input: {}, ctx: { error } },
    ]);
  }
}

function check(schema: z.ZodType, value: unknown, where: 'body' | 'query'): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(detailOf(parsed.error, value, where));
}
