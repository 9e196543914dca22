import { callRoute, mountMcp } from '@switchyard/mcp';
import { ApiError, logFailure, type Pipeline, refusalFrom } from '@switchyard/server';
import type { Application } from 'express';
import type { Context } from '../context';
import { InvalidRequest } from '../http/invalid-request';
import type { CallScope, MetricsRoute } from '../routes/route';
import { METRICS_TOOLS, type MetricsCaller } from './metrics-tools';

export function mountMetricsTools(
  app: Application,
  routes: readonly MetricsRoute[],
  pipeline: Pipeline<CallScope>,
  context: Context,
): void {
  const known = new Map(routes.map((route) => [route.operation, route]));
  mountMcp<MetricsCaller>(app, {
    name: 'switchyard-metrics',
    instructions: 'Reads the data of the metrics service. Amounts are decimal strings.',
    enter: async (request) => ({
      tools: METRICS_TOOLS,
      caller: {
        call: async <Body>(operation: string, query: Record<string, string | undefined> = {}) => {
          const route = known.get(operation);
          if (!route) throw new Error(`no route has the operation ${operation}`);
          const given = Object.entries(query).filter(([, value]) => value !== undefined);
          const answer = await callRoute(route, pipeline, request, {
            query: Object.fromEntries(given) as Record<string, string>,
          }).catch(refuse);
          return answer.body as Body;
        },
      },
    }),
    report: (error, request) => {
      logFailure(context.logger, error);
      context.recordRefusal(request, refusalFrom(error).code);
    },
  });
}

function refuse(error: unknown): never {
  if (!(error instanceof InvalidRequest)) throw error;
  const [first] = error.detail;
  const message = first ? `${first.loc.slice(1).join('.')}: ${first.msg}` : 'invalid request';
  throw new ApiError('validation_error', message);
}
