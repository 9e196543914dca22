import { ApiError } from '@switchyard/server';
import type { Application, Request, Response } from 'express';
import type { z } from 'zod';
import { detailOf } from './detail';
import type { Endpoint, Reply } from './endpoint';
import { InvalidRequest } from './failures';
import { readBody } from './read-body';

function check(schema: z.ZodType | undefined, value: unknown, where: 'body' | 'query'): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidRequest(detailOf(parsed.error, value, where));
}

export function send(response: Response, { status, body, headers = {} }: Reply): void {
  response.status(status);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (typeof body !== 'string') response.json(body);
  else {
    if (!response.hasHeader('Content-Type')) response.type('application/json');
    response.send(body);
  }
}

function serve({ query, body, bodyOptional, handle }: Endpoint) {
  return async (request: Request, response: Response): Promise<void> => {
    const sent = body && ((await readBody(request, response)) ?? (bodyOptional ? {} : undefined));
    const call = {
      query: check(query, { ...request.query }, 'query'),
      body: check(body, sent, 'body'),
      request,
      response,
    };
    send(response, await handle(call));
  };
}

/** Mounts a table of endpoints; a known path under another method answers 405 with `Allow`. */
export function mountEndpoints(app: Application, endpoints: readonly Endpoint[]): void {
  const allowed = new Map<string, string[]>();
  for (const endpoint of endpoints) {
    const verb = endpoint.method === 'GET' ? 'get' : 'post';
    app[verb](endpoint.path, serve(endpoint));
    const methods = endpoint.method === 'GET' ? ['GET', 'HEAD'] : ['POST'];
    allowed.set(endpoint.path, [...(allowed.get(endpoint.path) ?? []), ...methods]);
  }
  for (const [path, methods] of allowed) {
    app.all(path, () => {
      const allow = { Allow: methods.join(', ') };
      throw new ApiError('method_not_allowed', 'Method Not Allowed', undefined, allow);
    });
  }
}
