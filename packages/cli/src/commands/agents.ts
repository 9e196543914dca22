import { listAll, unwrap } from '@switchyard/client';
import type { Command } from 'commander';
import { collect } from '../collect.js';
import { CommandError } from '../failure.js';
import { money, printFields, printTable } from '../output.js';
import { findAgent, openConnection, readIssue } from '../service.js';
import { parseDollars } from './companies.js';
import { followRun } from './runs.js';

interface CreateOptions {
  adapter: string;
  config: string;
  role: string;
  budget?: number;
}

export function addAgents(program: Command): Command {
  const agent = program.command('agent').description('agents of the company');
  agent
    .command('list')
    .description('list agents')
    .action(async (_options, command: Command) => {
      const { client, isJson, company } = openConnection(command);
      const params = { path: { companyId: await company() } };
      const agents = await collect(
        listAll(client, '/api/companies/{companyId}/agents', { params }),
      );
      printTable(
        agents,
        [
          ['name', (row) => row.name],
          ['role', (row) => row.role],
          ['status', (row) => row.pauseReason ?? row.status],
          ['adapter', (row) => row.adapterType],
          ['issue', (row) => row.currentRun?.issue?.identifier],
          ['spent', (row) => money(row.spentMonthlyCents)],
        ],
        isJson,
      );
    });
  agent
    .command('create')
    .description('create an agent')
    .argument('<name>')
    .option('--adapter <type>', 'the adapter type; the console lists the types', 'external')
    .option('--config <json>', "the adapter's configuration as JSON", '{}')
    .option('--role <role>', 'its role', 'engineer')
    .option('--budget <dollars>', 'budget per month', parseDollars)
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const { client, isJson, company } = openConnection(command);
      const created = await unwrap(
        client.POST('/api/companies/{companyId}/agents', {
          params: { path: { companyId: await company() } },
          body: {
            name,
            role: options.role,
            adapterType: options.adapter,
            adapterConfig: parseObject(options.config),
            budgetMonthlyCents: options.budget,
          } as never,
        }),
      );
      printFields({ id: created.id, name: created.name, status: created.status }, isJson, created);
    });
  agent
    .command('invoke')
    .description('start a run of an agent')
    .argument('<agent>', 'name or id')
    .option('--issue <issue>', 'the issue that the run is about')
    .option('--reason <text>', 'the reason, shown to the agent')
    .option('--follow', 'show the log until the run has ended')
    .action(async (name: string, options, command: Command) => {
      const service = openConnection(command);
      const { id } = await findAgent(service, name);
      const issueId = options.issue && (await readIssue(service, options.issue)).id;
      const run = await unwrap(
        service.client.POST('/api/agents/{agentId}/heartbeat/invoke', {
          params: { path: { agentId: id } },
          body: { reason: options.reason, issueId },
        }),
      );
      if (options.follow) return followRun(service, run.id);
      printFields({ run: run.id, status: run.status }, service.isJson, run);
    });
  for (const verb of ['pause', 'resume'] as const) {
    agent
      .command(verb)
      .description(`${verb} an agent`)
      .argument('<agent>', 'name or id')
      .action(async (name: string, _options, command: Command) => {
        const service = openConnection(command);
        const { id } = await findAgent(service, name);
        const params = { path: { agentId: id } };
        const changed = await unwrap(
          service.client.POST(`/api/agents/{agentId}/${verb}`, { params }),
        );
        printFields({ agent: changed.name, status: changed.status }, service.isJson, changed);
      });
  }
  return agent;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {}
  throw new CommandError('--config must be a JSON object, such as \'{"command":"python3"}\'.');
}
