import type { RequestListener } from 'node:http';
import type { Clock } from '@switchyard/async';
import { MCP_PATH } from '@switchyard/mcp';
import { type Logger, silentLogger } from '@switchyard/server';
import { cloneDatabase, runSql, type SeenAnswer, watchAnswers } from '@switchyard/testing';
import supertest from 'supertest';
import { createApplication } from '../src/app';
import { type Config, readConfig } from '../src/config';
import { type Context, type ContextOverrides, createContext } from '../src/context';
import { schemasOf } from '../src/docs/openapi';
import type { MetricsRoute } from '../src/routes/route';
import { ROUTES } from '../src/routes/routes';

export type Harness = Awaited<ReturnType<typeof startHarness>>;

export interface MovableClock extends Clock {
  set(iso: string): void;
  forward(ms: number): void;
}

export function clockAt(iso: string): MovableClock {
  let time = Date.parse(iso);
  return {
    now: () => new Date(time),
    set: (next) => {
      time = Date.parse(next);
    },
    forward: (ms) => {
      time += ms;
    },
  };
}

export function recordingLogger(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const write = (message: string, fields?: Record<string, unknown>) =>
    void lines.push(JSON.stringify({ message, ...fields }));
  return { lines, logger: { error: write, warn: write, info: write, debug: write } };
}

export async function startService(options: {
  url: string;
  env?: Record<string, string>;
  config?: Partial<Config>;
  context?: ContextOverrides;
}) {
  const env = { DATABASE_URL: options.url, DATABASE_POOL_SIZE: '10', ...options.env };
  const config = { ...readConfig(env), ...options.config };
  const context: Context = createContext(config, { logger: silentLogger, ...options.context });
  const { server, faults } = serveDocumented(createApplication(context), ROUTES);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    config,
    context,
    port,
    http: supertest(`http://127.0.0.1:${port}`),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await context.close();
      if (faults.size > 0)
        throw new Error(`answers that differ from the document:\n${[...faults].join('\n')}`);
    },
  };
}

export async function startHarness(options: Omit<Parameters<typeof startService>[0], 'url'> = {}) {
  const database = await cloneDatabase('metrics');
  const service = await startService({ ...options, url: database.url });
  const { db } = service.context;
  return {
    ...service,
    database,
    rows: async <Row = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
      (await db.pool.query(sql, values)).rows as Row[],
    asOwner: (sql: string) => runSql(database.ownerUrl, sql),
    close: async () => {
      await service.close().finally(() => database.drop());
    },
  };
}

const OUTSIDE = new Set([401, 403, 404, 405, 429]);

export function documentFaults(routes: readonly MetricsRoute[]) {
  const table = routes.map((one) => ({
    method: one.method,
    path: new RegExp(`^${one.path.replace(/:\w+/g, '[^/]+')}$`),
    schemas: schemasOf(one),
  }));
  return ({ method, path, status, body, isHead }: SeenAnswer): string | null => {
    const row = table.find((one) => one.method === method && one.path.test(path ?? ''));
    const documented = row?.schemas;
    if (path === MCP_PATH) return status < 500 ? null : `a ${status}`;
    if (!documented) {
      return status < 400 || path === '/readyz' || OUTSIDE.has(status) ? null : `a ${status}`;
    }
    if (!(status in documented)) return `the status ${status}`;
    const schema = documented[status];
    if (isHead || body === undefined || typeof schema === 'string') return null;
    const parsed = schema?.safeParse(body);
    return parsed?.success ? null : `a ${status} that does not fit: ${parsed?.error.message}`;
  };
}

export const serveDocumented = (app: RequestListener, routes: readonly MetricsRoute[]) =>
  watchAnswers(app, documentFaults(routes));
