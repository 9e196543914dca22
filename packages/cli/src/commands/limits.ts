import { listAll, type Schemas, unwrap } from '@switchyard/client';
import type { Command } from 'commander';
import { collect } from '../collect.js';
import { CommandError } from '../failure.js';
import { printFields, printTable } from '../output.js';
import { openConnection, type Service } from '../service.js';
import { parseCount } from './runs.js';

const PATH = '/api/companies/{companyId}/run-limits';
const LIMIT = `${PATH}/{runLimitId}` as const;

export function addLimits(program: Command): void {
  const limit = program.command('limit').description('limits by key for concurrent runs');
  limit
    .command('list')
    .description('list limits')
    .action(async (_options, command: Command) => {
      const { client, isJson, company } = openConnection(command);
      const params = { path: { companyId: await company() } };
      printTable(
        await collect(listAll(client, PATH, { params })),
        [
          ['key', (row) => row.key],
          ['running', (row) => `${row.running} of ${row.maxRunning}`],
          ['state', (row) => (row.isPaused ? 'paused' : 'active')],
        ],
        isJson,
      );
    });
  limit
    .command('set')
    .description('limit how many runs with a key may run at the same time')
    .argument('<key>', 'such as provider:anthropic, or a key of agents')
    .argument('<count>', 'maximum number of runs', parseCount)
    .action(async (key: string, maxRunning: number, _options, command: Command) => {
      const service = openConnection(command);
      const path = { companyId: await service.company() };
      const body = { key, maxRunning };
      const set = (await findLimit(service, key))
        ? await change(service, key, { maxRunning })
        : await unwrap(service.client.POST(PATH, { params: { path }, body }));
      print(service, set);
    });
  for (const [name, isPaused, does] of [
    ['pause', true, 'start no further run with a key; running runs continue'],
    ['resume', false, 'let runs with a key start again'],
  ] as const) {
    limit
      .command(name)
      .description(does)
      .argument('<key>')
      .action(async (key: string, _options, command: Command) => {
        const service = openConnection(command);
        print(service, await change(service, key, { isPaused }));
      });
  }
  limit
    .command('delete')
    .description('delete a limit')
    .argument('<key>')
    .action(async (key: string, _options, command: Command) => {
      const service = openConnection(command);
      const path = await pathOf(service, key);
      await unwrap(service.client.DELETE(LIMIT, { params: { path } }));
      printFields({ deleted: key }, service.isJson);
    });
}

async function findLimit({ client, company }: Service, key: string) {
  const params = { path: { companyId: await company() }, query: { key } };
  const [found] = await unwrap(client.GET(PATH, { params }));
  return found;
}

async function pathOf(service: Service, key: string) {
  const found = await findLimit(service, key);
  if (!found) throw new CommandError(`The company has no limit with the key "${key}".`);
  return { companyId: found.companyId, runLimitId: found.id };
}

async function change(service: Service, key: string, body: Schemas['UpdateRunLimitBody']) {
  const path = await pathOf(service, key);
  return unwrap(service.client.PATCH(LIMIT, { params: { path }, body }));
}

function print({ isJson }: Service, limit: Schemas['RunLimit']): void {
  const { key, maxRunning, running, isPaused } = limit;
  printFields({ key, maxRunning, running, isPaused }, isJson, limit);
}
