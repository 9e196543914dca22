import { createHash } from 'node:crypto';
import { callRoute } from '@switchyard/mcp';
import type { Pipeline } from '@switchyard/server';
import type { Request } from 'express';
import type { AgentActor, BoardActor } from '../access/actor';
import type { OrchestrationRoute, RequestCall } from '../pipeline';

/** How long a call without a `request_key` is the same as an equal one. */
const SAME_CALL_SEC = 600;
const NAMED_KEY_SEC = 86_400;

interface Target {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: Record<string, unknown>;
}

interface Write extends Target {
  tool: string;
  args: Record<string, unknown> & { request_key?: string | undefined };
}

export interface Written<Body> {
  body: Body;
  replayed: boolean;
}

/** The caller of a tool. Tools do what the routes of the interface do, by calling them. */
export interface Caller<Who = AgentActor | BoardActor> {
  actor: Who;
  /** The run that the caller acts in. */
  runId: string | null;
  /** Calls a route that reads, or that changes nothing when it is called again. */
  call<Body>(operation: string, target?: Target): Promise<Body>;
  /** Calls a route that writes; an equal call within ten minutes gets the first answer and writes nothing. */
  write<Body>(operation: string, write: Write): Promise<Written<Body>>;
}

export interface Door {
  routes: ReadonlyMap<string, OrchestrationRoute>;
  pipeline: Pipeline<RequestCall>;
}

export function callerOf<Who>(
  { routes, pipeline }: Door,
  request: Request,
  { actor, runId }: { actor: Who; runId: string | null },
): Caller<Who> {
  const send = (operation: string, target: Target, key?: { name: string; forSec: number }) => {
    const route = routes.get(operation);
    if (!route) throw new Error(`no route has the operation ${operation}`);
    const { params, body, query = {} } = target;
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    return callRoute(route, pipeline, request, {
      params,
      body: body && withoutGaps(body),
      query: Object.fromEntries(given) as Record<string, string>,
      ...(key && { idempotencyKey: key.name, extra: { keyForSec: key.forSec } }),
    });
  };
  return {
    actor,
    runId,
    call: async <Body>(operation: string, target: Target = {}) =>
      (await send(operation, target)).body as Body,
    write: async <Body>(operation: string, { tool, args, ...target }: Write) => {
      const answer = await send(operation, target, keyOf(tool, args));
      const replayed = answer.options.headers?.['Idempotency-Replayed'] === 'true';
      return { body: answer.body as Body, replayed };
    },
  };
}

/** An absent argument is an absent field. */
const withoutGaps = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** The caller and its run are part of the scope of every key. */
function keyOf(tool: string, { request_key: named, ...args }: Write['args']) {
  if (named !== undefined) return { name: named, forSec: NAMED_KEY_SEC };
  const digest = createHash('sha256')
    .update(JSON.stringify([tool, args]))
    .digest('hex');
  return { name: `mcp-${digest}`, forSec: SAME_CALL_SEC };
}
