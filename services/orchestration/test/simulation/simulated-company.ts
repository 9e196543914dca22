import type { RunAssignment } from '@switchyard/types';
import type supertest from 'supertest';
import type { Context } from '../../src/kernel/context';
import type { ClaimedRun } from '../../src/state/runs/claims/claimed-run';
import { type Harness, startHarness } from '../harness';
import { type GatedSession, readBlocked, startSession } from '../interleavings/sessions';
import { runnerClient, WITH_RUNNERS } from '../runner-client';
import { openReceiver } from '../webhook-receiver';
import { createVirtualClock } from './virtual-clock';

/** A process that receives a request: the harness, or one of the gated sessions. */
export interface Via {
  api: ReturnType<typeof supertest>;
  runners: ReturnType<typeof supertest>;
  context: Context;
}

export interface Reply {
  answer: number | string;
  // biome-ignore lint/suspicious/noExplicitAny: responses of all routes
  body: any;
}

export type Runner = ReturnType<typeof runnerClient>;

/** An assignment that a runner received; it may have been replaced since. */
export interface Given {
  number: number;
  run: RunAssignment;
  runner: Runner;
  isLost: boolean;
}

export interface Claim {
  number: number;
  run: ClaimedRun;
  isEnded: boolean;
}

export interface Trigger {
  publicId: string;
  secret: string;
}

const ON_RUNNER = { adapterType: 'process', adapterConfig: { command: 'true' } };
const ADAPTERS = [ON_RUNNER, ON_RUNNER, ON_RUNNER, { adapterType: 'scripted' }];
const SERVERS = ['a', 'b', 'c'];
const RUNNERS = ['one', 'two'];

/** Starts three servers and two runners of one company, on a database with a virtual clock. */
export async function startSimulatedCompany() {
  const clock = createVirtualClock();
  const harness = await startHarness({
    config: WITH_RUNNERS,
    context: { clock },
    prepareDatabase: clock.install,
  });
  const sessions: GatedSession[] = [];
  for (const name of SERVERS) sessions.push(await startSession(harness, name));
  const receiver = await openReceiver();
  const query = async <Row extends object>(sql: string, ...values: unknown[]) =>
    (await harness.context.db.pool.query<Row>(sql, values)).rows;
  const { build } = harness;
  const { id: companyId } = await build.company();
  const agents: string[] = [];
  for (const [at, adapter] of ADAPTERS.entries()) {
    const { id } = await build.agent({
      companyId,
      name: `Agent ${at}`,
      ...adapter,
      wakeOnAssignment: at > 0,
      maxConcurrentRuns: 1 + (at % 2),
    });
    agents.push(id);
  }
  const routine = await build.routine({
    companyId,
    title: 'Routine',
    assigneeAgentId: agents[0] as string,
    concurrencyPolicy: 'always_enqueue',
  });
  const trigger: Trigger = await build.trigger(routine.id, {
    kind: 'webhook',
    signingMode: 'hmac_sha256',
  });
  await build.trigger(routine.id, { kind: 'schedule', cronExpression: '0 */6 * * *' });
  const runners = new Map<string, Runner>();
  for (const name of RUNNERS) runners.set(name, await registered(harness, name));
  return {
    ...{ harness, clock, sessions, receiver, query, companyId, agents, runners },
    ...{ routineId: routine.id, trigger },
    blocked: readBlocked(harness),
    given: [] as Given[],
    claims: [] as Claim[],
    /** Numbers of accepted invocations, and comments that woke an agent. */
    wakes: { invocations: [] as number[], comments: [] as string[] },
    accepted: new Set<string>(),
    receiverFails: false,
    events: new Set<string>(),
    position: { transaction: 0n, sequence: 0n },
    count: 0,
    startRunner: async (name: string) => {
      runners.set(name, await registered(harness, name));
    },
    close: async () => {
      receiver.close();
      for (const session of sessions) await session.close();
      await harness.close();
    },
  };
}

export type SimulatedCompany = Awaited<ReturnType<typeof startSimulatedCompany>>;

async function registered(harness: Harness, name: string): Promise<Runner> {
  const runner = runnerClient(harness, { name });
  await runner.hello().expect(200);
  return runner;
}

/** Returns the row at a position in the order of creation, with a label that a replay repeats. */
export async function pick(
  { query, companyId }: SimulatedCompany,
  table: 'agent' | 'issue' | 'approval' | 'heartbeat_run',
  at: number,
  where = 'true',
): Promise<{ id: string; label: string } | null> {
  const rows = await query<{ id: string; fits: boolean }>(
    `SELECT id, ${where} AS fits FROM ${table} WHERE company_id = $1 ORDER BY id`,
    companyId,
  );
  const fitting = rows.flatMap(({ id, fits }, index) =>
    fits ? [{ id, label: `${table} ${index}` }] : [],
  );
  return fitting[at % Math.max(1, fitting.length)] ?? null;
}
