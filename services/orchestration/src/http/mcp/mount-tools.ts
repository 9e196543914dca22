import { mountMcp } from '@switchyard/mcp';
import { logFailure, ownHostsOnly, refusalFrom, unauthenticated } from '@switchyard/server';
import type { Application, Request, Response } from 'express';
import { SEND_BEARER } from '../../access/credentials/misplaced-credential';
import { rateLimits } from '../../access/network/rate-limits';
import { actingRun } from '../../access/run-header';
import { signInOf } from '../../access/sign-in/sign-in';
import type { AgentActor, BoardActor } from '../../kernel/actor';
import type { OrchestrationRoute } from '../../route';
import { identifyCounted, type PipelineParts } from '../pipeline';
import { AGENT_TOOLS } from './agent/agent-tools';
import { BOARD_READS, BOARD_TOOLS } from './board/board-tools';
import { callerOf, type RouteTable } from './caller';

const INSTRUCTIONS =
  'Switchyard directs AI agents as employees. Every response ends with the next step. A refused call has a code: read it, and do not repeat the call unchanged. You can repeat a write that may have been lost: an identical call within ten minutes changes nothing.';

export function mountTools(
  app: Application,
  routes: readonly OrchestrationRoute[],
  pipeline: RouteTable['pipeline'],
  parts: PipelineParts,
): void {
  const { context } = parts;
  const table: RouteTable = {
    pipeline,
    routes: new Map(routes.map((one) => [one.operation, one])),
  };
  // With sign-in, the API accepts any host name, so this check must prevent DNS rebinding.
  const { publicUrl, agentApiUrl } = context.config;
  const assertOwnHost = ownHostsOnly({ names: [publicUrl, agentApiUrl], addresses: 'any' });

  const enter = async (request: Request, response: Response) => {
    assertOwnHost(request, response, () => undefined);
    if (signInOf(context) && request.get('authorization') === undefined) {
      await rateLimits(context).unknown(request);
      throw unauthenticated(`a session is not accepted here: ${SEND_BEARER}`);
    }
    const known = await identifyCounted(parts, 'agent-or-board', request, response);
    const actor = known.actor as AgentActor | BoardActor;
    const runId = await actingRun(context.db, known, null, request);
    const caller = callerOf(table, request, { actor, runId });
    if (actor.type === 'agent') return { tools: AGENT_TOOLS, caller };
    return { tools: actor.token?.scope === 'read' ? BOARD_READS : BOARD_TOOLS, caller };
  };

  mountMcp(app, {
    name: 'switchyard',
    instructions: INSTRUCTIONS,
    enter,
    report: (error, request) => {
      logFailure(context.logger, error);
      context.recordRefusal(request, refusalFrom(error).code);
    },
  });
}
