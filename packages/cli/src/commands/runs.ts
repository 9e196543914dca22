import { followRunLog, listAll, type Schemas, unwrap, waitForRun } from '@switchyard/client';
import type { Command } from 'commander';
import { take } from '../collect.js';
import { CommandError, EXIT } from '../failure.js';
import { money, note, printFields, printJson, printTable, writeText } from '../output.js';
import { findAgent, openConnection, type Service } from '../service.js';

export function addRuns(program: Command): void {
  const run = program.command('run').description('runs of agents');
  run
    .command('list')
    .description('list the newest runs')
    .option('--agent <agent>', 'only runs of this agent')
    .option('--limit <count>', 'maximum number of rows', parseCount, 20)
    .action(async (options: { agent?: string; limit: number }, command: Command) => {
      const service = openConnection(command);
      const agentId = options.agent && (await findAgent(service, options.agent)).id;
      const params = {
        path: { companyId: await service.company() },
        query: { limit: Math.min(options.limit, 100), ...(agentId && { agentId }) },
      };
      const runs = listAll(service.client, '/api/companies/{companyId}/heartbeat-runs', { params });
      printTable(
        await take(runs, options.limit),
        [
          ['id', (row) => row.id],
          ['agent', (row) => row.agentName],
          ['status', (row) => row.status],
          ['issue', (row) => row.issue?.identifier],
          ['cost', (row) => money(row.usage.costCents)],
          ['created', (row) => row.createdAt],
          ['error', (row) => row.error],
        ],
        service.isJson,
      );
    });
  run
    .command('show')
    .description('show a run')
    .argument('<run>', 'id')
    .action(async (runId: string, _options, command: Command) => {
      const service = openConnection(command);
      showRun(await readRun(service, runId), service.isJson);
    });
  run
    .command('log')
    .description('show the log of a run')
    .argument('<run>', 'id')
    .option(
      '--follow',
      'follow the log until the run has ended; exit with 1 if the run did not succeed',
    )
    .action(async (runId: string, options: { follow?: boolean }, command: Command) => {
      const service = openConnection(command);
      if (options.follow) return followRun(service, runId);
      for await (const part of readLog(service, runId)) writeText(part);
    });
  run
    .command('cancel')
    .description('cancel a run')
    .argument('<run>', 'id')
    .action(async (runId: string, _options, command: Command) => {
      const service = openConnection(command);
      const params = { path: { runId } };
      await unwrap(service.client.POST('/api/heartbeat-runs/{runId}/cancel', { params }));
      showRun(await readRun(service, runId), service.isJson);
    });
  run
    .command('retry')
    .description('start a new run with the wakes of a run that has ended')
    .argument('<run>', 'id')
    .option('--follow', 'show the log of the new run')
    .action(async (runId: string, options: { follow?: boolean }, command: Command) => {
      const service = openConnection(command);
      const params = { path: { runId } };
      const run = await unwrap(
        service.client.POST('/api/heartbeat-runs/{runId}/retry', { params }),
      );
      if (options.follow) return followRun(service, run.id);
      printFields({ run: run.id, status: run.status }, service.isJson, run);
    });
}

export const readRun = (service: Service, runId: string) =>
  unwrap(service.client.GET('/api/heartbeat-runs/{runId}', { params: { path: { runId } } }));

function showRun(run: Schemas['HeartbeatRunDetail'], isJson: boolean) {
  const { id, status, agentName, reason, attempt, startedAt, finishedAt, error } = run;
  const issue = run.issue && `${run.issue.identifier} ${run.issue.title}`;
  const cost = money(run.usage.costCents);
  const fields = {
    id,
    status,
    agent: agentName,
    issue,
    reason,
    attempt,
    startedAt,
    finishedAt,
    cost,
    error,
  };
  printFields(fields, isJson, run);
}

export async function followRun(service: Service, runId: string): Promise<void> {
  if (!service.isJson) {
    for await (const part of followRunLog(service.client, runId)) writeText(part);
  }
  const run = await waitForRun(service.client, runId);
  if (service.isJson) printJson(run);
  else
    note(
      `The run ${run.status === 'succeeded' ? 'succeeded' : `ended with status ${run.status}`}, ${money(run.usage.costCents)}.`,
    );
  if (run.status !== 'succeeded') throw new CommandError(run.error ?? run.status, EXIT.failed);
}

async function* readLog(service: Service, runId: string): AsyncGenerator<string> {
  let offset = 0;
  for (;;) {
    const part = await unwrap(
      service.client.GET('/api/heartbeat-runs/{runId}/log', {
        params: { path: { runId }, query: { offset } },
      }),
    );
    yield part.content;
    if (part.nextOffset === offset || part.nextOffset >= part.size) return;
    offset = part.nextOffset;
  }
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new CommandError(`"${text}" must be a whole number from 1 to 999999.`);
  return Number(text);
}
