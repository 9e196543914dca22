import { createHash } from 'node:crypto';
import { callRoute } from '@switchyard/mcp';
import type { Pipeline } from '@switchyard/server';
import type { Request } from 'express';
import type { AgentActor, BoardActor } from '../../kernel/actor';
import type { OrchestrationRoute, RequestCall } from '../../route';

/** Identical calls without a `request_key` count as one within this time. */
const SAME_CALL_SEC = 600;
const NAMED_KEY_SEC = 86_400;

interface Key {
  name: string;
  forSec: number;
}

interface Target {
  params?: Record<string, string>;
  query?: Record<string, string | undefined>;
  body?: Record<string, unknown>;
}

interface Write extends Target {
  tool: string;
  args: Record<string, unknown> & { request_key?: string | undefined };
  isEachNew?: boolean;
  stateSince?: () => Promise<string | null>;
}

export interface Written<Body> {
  body: Body;
  replayed: boolean;
}

export interface Caller<Who = AgentActor | BoardActor> {
  actor: Who;
  runId: string | null;
  call<Body>(operation: string, target?: Target): Promise<Body>;
  /**
   * An identical call within ten minutes returns the first response, unless the change was undone
   * since.
   */
  write<Body>(operation: string, write: Write): Promise<Written<Body>>;
}

export interface RouteTable {
  routes: ReadonlyMap<string, OrchestrationRoute>;
  pipeline: Pipeline<RequestCall>;
}

export function callerOf<Who>(
  { routes, pipeline }: RouteTable,
  request: Request,
  { actor, runId }: { actor: Who; runId: string | null },
): Caller<Who> {
  const send = (operation: string, target: Target, key?: Key) => {
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
    write: async <Body>(operation: string, write: Write) => {
      const { tool, args, isEachNew, stateSince, ...target } = write;
      const { request_key: named, ...equal } = args;
      const once = async (key?: Key): Promise<Written<Body>> => {
        const answer = await send(operation, target, key);
        const replayed = answer.options.headers?.['Idempotency-Replayed'] === 'true';
        return { body: answer.body as Body, replayed };
      };
      if (named !== undefined) return once({ name: named, forSec: NAMED_KEY_SEC });
      if (isEachNew) return once();
      const first = await once(keyOf(tool, equal));
      const since = first.replayed && stateSince ? await stateSince() : null;
      return since === null ? first : once(keyOf(tool, equal, since));
    },
  };
}

const withoutGaps = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

function keyOf(tool: string, args: object, since?: string): Key {
  const digest = createHash('sha256')
    .update(JSON.stringify([tool, args, since]))
    .digest('hex');
  return { name: `mcp-${digest}`, forSec: SAME_CALL_SEC };
}
