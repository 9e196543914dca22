import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@switchyard/server';
import supertest from 'supertest';
import { createContext } from '../../src/create-context';
import { createApplication, createWorkerApplication } from '../../src/http/app';
import type { Context } from '../../src/kernel/context';
import type { LiveRun } from '../builders';
import type { Harness } from '../harness';
import { createGate } from './gate';
import type { Session } from './interleave';

export interface GatedSession extends Session {
  context: Context;
  api: ReturnType<typeof supertest>;
  runners: ReturnType<typeof supertest>;
  close(): Promise<void>;
}

const BLOCKED = `
  SELECT DISTINCT split_part(application_name, '-', 2) AS name FROM pg_stat_activity
  WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`;

async function serve(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts one process's application on the harness's database, with a gate at its connections. */
export async function startSession(harness: Harness, name: string): Promise<GatedSession> {
  const { adapters, clock } = harness.context;
  const context = createContext(harness.config, name, { logger: silentLogger, adapters, clock });
  const gate = createGate();
  gate.watch(context.db.pool);
  gate.watch(context.numbering.pool);
  const servers = [createApplication, createWorkerApplication].map((create) =>
    createServer(create(context, () => false)),
  );
  const [api, runners] = await Promise.all(servers.map(serve));
  return {
    name,
    gate,
    context,
    api: supertest(api as string),
    runners: supertest(runners as string),
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      await context.close();
    },
  };
}

export const readBlocked = (harness: Harness) => async () => {
  const { rows } = await harness.context.db.pool.query<{ name: string }>(BLOCKED);
  return rows.map(({ name }) => name);
};

export async function reply(request: supertest.Test): Promise<unknown> {
  const { status, body } = await request;
  return status < 300 ? status : body.code;
}

export const as = (run: LiveRun, request: supertest.Test) =>
  request.set('Authorization', run.authorization);
