import { INEXACT_NUMBER, inexactNumber, type Route, readText } from '@switchyard/server';
import type { Request } from 'express';
import type { z } from 'zod';
import { detailOf, echo } from './detail';
import { InvalidRequest, valueError } from './invalid-request';

export function readQuery({ query }: Pick<Route, 'query'>, request: Request): unknown {
  return query && check(query, { ...request.query }, 'query');
}

export async function readBody({ body }: Pick<Route, 'body'>, request: Request): Promise<unknown> {
  if (!body) return undefined;
  const { text, value } = await receive(request);
  const isEnough = value === undefined && body.safeParse({}).success;
  const read = check(body, isEnough ? {} : value, 'body');
  refuseInexact(text, value, read);
  return read;
}

function refuseInexact(text: string, value: unknown, read: unknown): void {
  const path = typeof value === 'object' ? inexactNumber(text, value) : null;
  const field = path?.[0];
  if (path && typeof read === 'object' && read !== null && field !== undefined && field in read) {
    throw valueError(['body', ...path], INEXACT_NUMBER, null);
  }
}

const NOT_JSON = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from: send JSON with `Content-Type: application/json`',
};

const BODY_LIMIT = 256 * 1024;

async function receive(request: Request): Promise<{ text: string; value: unknown }> {
  const text = await readText(request, BODY_LIMIT);
  if (text.trim() === '') return { text, value: undefined };
  if (request.is(['application/json', 'application/*+json'])) {
    return { text, value: parseJson(text) };
  }
  throw new InvalidRequest([{ ...NOT_JSON, loc: ['body'], input: echo(text) }]);
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
