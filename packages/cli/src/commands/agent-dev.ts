import { setTimeout } from 'node:timers/promises';
import {
  createClient,
  isTemporary,
  type OrchestrationClient,
  RefusedError,
  type Schemas,
  unwrap,
} from '@switchyard/client';
import type { Command } from 'commander';
import { CommandError, EXIT } from '../failure.js';
import { note } from '../output.js';
import { runProgram } from '../run-program.js';
import { findAgent, openConnection, type Service } from '../service.js';
import { readRun } from './runs.js';

export function addAgentDev(agent: Command): void {
  agent
    .command('dev')
    .description('run a program here for each wake of an external agent, until Ctrl-C')
    .argument('<agent>', 'name or id')
    .argument('<program...>', 'the program and its arguments, after --')
    .option('--once', 'end after one run; exit with 1 if it failed')
    .action(
      async (name: string, program: string[], options: { once?: boolean }, command: Command) => {
        const service = openConnection(command);
        await serve(service, await findAgent(service, name), program, options.once === true);
      },
    );
  agent
    .command('replay')
    .description('run a program here with the wakes of a run that has ended')
    .argument('<run>', 'id of the run; its agent is external')
    .argument('<program...>', 'the program and its arguments, after --')
    .action(async (runId: string, program: string[], _options, command: Command) => {
      const service = openConnection(command);
      const run = await readRun(service, runId);
      const agent = await findAgent(service, run.agentId);
      requireExternal(agent);
      await repeat(service, run);
      await serve(service, agent, program, true);
    });
}

async function repeat({ client }: Service, run: Schemas['HeartbeatRunDetail']) {
  if (run.status !== 'succeeded') {
    const params = { path: { runId: run.id } };
    return unwrap(client.POST('/api/heartbeat-runs/{runId}/retry', { params }));
  }
  const [wake] = run.wakes;
  const params = { path: { agentId: run.agentId } };
  const body = {
    reason: wake?.reason ?? undefined,
    issueId: wake?.issueId ?? undefined,
    payload: wake?.payload ?? undefined,
  };
  return unwrap(client.POST('/api/agents/{agentId}/heartbeat/invoke', { params, body }));
}

interface DevAgent {
  id: string;
  adapterType: string;
}

function requireExternal({ adapterType }: DevAgent) {
  if (adapterType === 'external') return;
  throw new CommandError(
    `The adapter of this agent must be external, but is ${adapterType}. Create an agent that fetches its wakes: switchyard agent create "Name" --adapter external`,
  );
}

async function serve(service: Service, agent: DevAgent, program: string[], isOnce: boolean) {
  requireExternal(agent);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stop.abort());
  }
  const path = { agentId: agent.id };
  const { id: keyId, key } = await unwrap(
    service.client.POST('/api/agents/{agentId}/keys', {
      params: { path },
      body: { name: 'agent dev' },
    }),
  );
  try {
    const caller = createClient({ baseUrl: service.url, token: key });
    note('Waiting for wakes. Press Ctrl-C to stop.');
    while (!stop.signal.aborted) {
      const run = await fetchRun(caller, stop.signal);
      if (!run) continue;
      const succeeded = await work(service.url, run, program, stop.signal);
      if (isOnce && !succeeded) throw new CommandError('The program failed.', EXIT.failed);
      if (isOnce) return;
    }
  } finally {
    const params = { path: { ...path, keyId } };
    await unwrap(service.client.DELETE('/api/agents/{agentId}/keys/{keyId}', { params })).catch(
      (error: Error) =>
        note(`The key ${keyId} could not be revoked: ${error.message}. Revoke it in the console.`),
    );
  }
}

async function fetchRun(caller: OrchestrationClient, signal: AbortSignal) {
  try {
    const params = { query: { wait: 25 } };
    return await unwrap(caller.GET('/api/agents/me/wakes', { params, signal }));
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!isTemporary(error, true)) throw error;
    note(`${(error as Error).message}; trying again.`);
    await setTimeout(2_000, undefined, { signal }).catch(() => undefined);
    return undefined;
  }
}

async function work(
  url: string,
  run: Schemas['FetchedRun'],
  program: string[],
  signal: AbortSignal,
): Promise<boolean> {
  const { runId, runToken, wakes, variables } = run;
  note(`Run ${runId}: ${wakes.map(({ source, identifier }) => identifier ?? source).join(', ')}`);
  const client = createClient({ baseUrl: url, token: runToken });
  const given = { ...variables, SERVICE_API_URL: url, SERVICE_API_KEY: runToken };
  const { summary, costs, error } = await runProgram(program, given, signal);
  for (const cost of costs) await reportCost(client, run, cost);
  const status = error === null ? 'succeeded' : 'failed';
  const params = { path: { runId } };
  const body = { status, ...(summary && { summary }), ...(error && { error }) } as const;
  await unwrap(client.POST('/api/heartbeat-runs/{runId}/finish', { params, body })).catch(
    (refusal: Error) => {
      if (!(refusal instanceof RefusedError) || ![401, 409].includes(refusal.status)) throw refusal;
      note(`The run has already ended: ${refusal.message}`);
    },
  );
  note(error === null ? 'Succeeded.' : `Failed: ${error}.`);
  return error === null;
}

async function reportCost(
  client: OrchestrationClient,
  { agentId, companyId, issueId }: Schemas['FetchedRun'],
  cost: object,
) {
  const body = { ...cost, agentId, ...(issueId && { issueId }) } as Schemas['CreateCostEventBody'];
  const params = { path: { companyId } };
  await unwrap(client.POST('/api/companies/{companyId}/cost-events', { params, body })).catch(
    (error: Error) => note(`A usage line was refused: ${error.message}`),
  );
}
