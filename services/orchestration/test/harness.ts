import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCodingAgents } from '@switchyard/runner/agents/coding-agents/coding-agents';
import { createProcessAdapter } from '@switchyard/runner/agents/command/process-adapter';
import { defineProcessAdapter } from '@switchyard/runner/agents/command/process-definition';
import { CONFINEMENTS, UNCONFINED } from '@switchyard/runner/test/confinements';
import { silentLogger } from '@switchyard/server';
import { cloneDatabase, redisUrl, runSql } from '@switchyard/testing';
import supertest from 'supertest';
import { createAdapterRegistry } from '../src/adapters/agents/adapter-registry';
import { createExternalAdapter } from '../src/adapters/agents/external/external-adapter';
import { createHttpAdapter } from '../src/adapters/agents/http/http-adapter';
import type { Config } from '../src/config';
import { readConfig } from '../src/config';
import { type ContextOverrides, createContext } from '../src/create-context';
import { createApplication, createWorkerApplication } from '../src/http/app';
import { allRoutes } from '../src/http/routes';
import type { Context } from '../src/kernel/context';
import { createBuilders } from './builders';
import { serveDocumented } from './documented-answers';
import { drain } from './drain';
import { RUNNER_TOKEN } from './runner-client';
import { createScriptedAdapter } from './scripted-adapter';

export type Harness = Awaited<ReturnType<typeof startHarness>>;

export const RUN_TOKEN_SECRET = 'a secret that only the tests know, 40 characters';
export const SECRETS_MASTER_KEY = Buffer.alloc(32, 'master key of the tests').toString('base64');

/**
 * Starts the real application on a separate database, listening on loopback. Scripts act as agents.
 * Nothing takes work from the queue unless a test starts a worker or calls `drain`. Closing the
 * harness fails if a response violated the OpenAPI document.
 */
export async function startHarness(
  options: {
    config?: Partial<Config>;
    context?: ContextOverrides;
    prepareDatabase?: (ownerUrl: string) => Promise<void>;
  } = {},
) {
  const database = await cloneDatabase('orchestration');
  await options.prepareDatabase?.(database.ownerUrl);
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  const config: Config = {
    ...readConfig({
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl(),
      REDIS_PREFIX: `t${Date.now().toString(36)}${process.pid}`,
      RUN_TOKEN_SECRET,
      SECRETS_MASTER_KEY,
      RUNNER_TOKEN,
      RUN_LEASE_SEC: '3',
      DATA_DIR: dataDir,
      DATABASE_POOL_SIZE: '20',
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LANG: process.env.LANG,
    }),
    checks: { claimWithinMs: 250, answerWithinMs: 10_000 },
    // Programs of tests read files anywhere, so the harness uses no sandbox. Separate tests check
    // the sandbox.
    sandbox: UNCONFINED,
    ...options.config,
  };
  const scripted = createScriptedAdapter();
  const children = { inherited: config.inherited, homes: null, confinements: CONFINEMENTS };
  const rules = { allowedCommands: 'any', allowedVariables: 'any' } as const;
  const adapters = createAdapterRegistry([
    scripted.adapter,
    { ...defineProcessAdapter(rules), ...createProcessAdapter({ ...rules, children }) },
    createHttpAdapter({ allowLoopback: true, httpsOnly: false, allowedHosts: [] }),
    ...createCodingAgents({
      settings: config.models,
      allowedVariables: 'any',
      children,
      listModels: async () => null,
    }),
    createExternalAdapter(),
  ]);
  const context: Context = createContext(config, 'test', {
    logger: silentLogger,
    adapters,
    ...options.context,
  });
  const app = createApplication(context, () => false);
  const { server, faults } = serveDocumented(app, allRoutes);
  const { port } = await listening(server);
  const worker = serveDocumented(
    createWorkerApplication(context, () => false),
    allRoutes,
  );
  const workerAt = await listening(worker.server);
  config.publicUrl = `http://127.0.0.1:${port}`;
  config.agentApiUrl = config.publicUrl;
  return {
    config,
    context,
    scripted,
    url: config.publicUrl,
    db: context.db.prisma,
    api: supertest(server),
    runners: supertest(worker.server),
    runnersUrl: `http://127.0.0.1:${workerAt.port}`,
    build: createBuilders(context, supertest(server)),
    drain: () => drain(context),
    database,
    asOwner: (sql: string) => runSql(database.ownerUrl, sql),
    close: async () => {
      for (const each of [server, worker.server]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
      await context.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      const all = [...faults, ...worker.faults];
      if (all.length > 0) throw new Error(`beside the document: ${all.join('\n')}`);
    },
  };
}

async function listening(server: Server): Promise<{ port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address() as { port: number };
}

export function useHarness(options?: Parameters<typeof startHarness>[0]): Harness {
  const holder = {} as Harness;
  beforeAll(async () => {
    Object.assign(holder, await startHarness(options));
  });
  afterAll(() => holder.close());
  return holder;
}
