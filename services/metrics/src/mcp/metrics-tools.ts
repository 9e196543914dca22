import { callRoute, clip, mountMcp, reading, tool, toolSet } from '@switchyard/mcp';
import { ApiError, logFailure, type Pipeline, refusalFrom } from '@switchyard/server';
import type { Application } from 'express';
import { z } from 'zod';
import type { Context } from '../context';
import { InvalidRequest } from '../http/invalid-request';
import { KINDS } from '../kinds/kinds';
import type { CallScope, MetricsRoute } from '../routes/route';

export interface MetricsCaller {
  call<Body>(operation: string, query?: Record<string, string | undefined>): Promise<Body>;
}

type Row = Record<string, unknown>;

const columns = (row: Row, names: readonly string[]) =>
  names
    .filter((name) => row[name] !== null && row[name] !== undefined)
    .map((name) => `${name} ${clip(String(row[name]), 40)}`)
    .join(', ');

const rows = (items: readonly Row[], names: readonly string[], next: string) =>
  reading(items.length > 0 ? items.map((row) => columns(row, names)) : ['No rows.'], next);

const read = tool<MetricsCaller>();
const text = z.string().optional();

const health = read({
  name: 'health',
  description: 'Health of the service, its components and their problems.',
  reads: true,
  input: z.object({}),
  run: async (_args, { call }) => {
    const { status, components } = await call<{ status: string; components: Record<string, Row> }>(
      'getHealth',
    );
    const parts = Object.entries(components).map(
      ([name, part]) =>
        `${name}: ${columns(part, ['status', 'problem', 'age_seconds', 'failed_components', 'last_error'])}`,
    );
    return reading([`status ${status}`, ...parts], 'grids, or history of one kind');
  },
});

const grids = read({
  name: 'grids',
  description: 'Every grid with its last snapshot.',
  reads: true,
  input: z.object({ grid_id: text, symbol: text }),
  run: async (query, { call }) => {
    const { items } = await call<{ items: Row[] }>('listGrids', query);
    const names = [
      'grid_id',
      'symbol',
      'status',
      'total_pnl',
      'grid_profit',
      'age_seconds',
      'stale',
    ];
    return rows(items, names, 'profit with a grid_id');
  },
});

const profit = read({
  name: 'profit',
  description: 'Earnings of grids per day, week or month, newest first.',
  reads: true,
  input: z.object({ interval: z.enum(['1d', '1w', '1M']).optional(), grid_id: text, end: text }),
  run: async (query, { call }) => {
    const { items } = await call<{ items: Row[] }>('listProfit', { ...query, periods: '7' });
    const names = ['grid_id', 'symbol', 'start', 'total_pnl', 'grid_profit', 'fees'];
    return rows(items, names, 'end goes further back');
  },
});

const regimes = read({
  name: 'regimes',
  description: 'The last known market regime of each symbol. Not trading advice.',
  reads: true,
  input: z.object({ symbol: text, timeframe: text }),
  run: async (query, { call }) => {
    const { items } = await call<{ items: Row[] }>('getCurrentRegimes', query);
    const names = ['symbol', 'label', 'confirmed_label', 'confidence', 'age_seconds', 'stale'];
    return rows(items, names, 'history with kind regime');
  },
});

const history = read({
  name: 'history',
  description: 'Stored snapshots of one kind, newest first.',
  reads: true,
  input: z.object({
    kind: z.enum(KINDS.map(({ name }) => name)),
    symbol: text,
    start: text.describe('ISO 8601'),
    end: text,
    cursor: text,
  }),
  run: async (query, { call }) => {
    const { items, pagination } = await call<{
      items: Row[];
      pagination: { next_cursor: string | null };
    }>('getHistory', { ...query, limit: '5' });
    const lines = items.map((row) => clip(JSON.stringify(row), 170));
    const { next_cursor: cursor } = pagination;
    return reading(
      lines.length > 0 ? lines : ['No rows.'],
      cursor === null ? 'no more rows' : `cursor ${cursor}`,
    );
  },
});

export const METRICS_TOOLS = toolSet<MetricsCaller>([health, grids, profit, regimes, history]);

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
