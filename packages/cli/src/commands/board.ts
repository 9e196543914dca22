import { listAll, type Schemas, unwrap } from '@switchyard/client';
import type { Command } from 'commander';
import { take } from '../collect.js';
import { print, printFields, printTable } from '../output.js';
import { openConnection } from '../service.js';
import { parseCount } from './runs.js';

export function addBoard(program: Command): void {
  program
    .command('inbox')
    .description('list what needs you, most urgent first')
    .option('--limit <count>', 'how many', parseCount, 50)
    .action(async (options: { limit: number }, command: Command) => {
      const { client, isJson, company } = openConnection(command);
      const query = { limit: Math.min(options.limit, 100) };
      const params = { path: { companyId: await company() }, query };
      const items = listAll(client, '/api/companies/{companyId}/inbox', { params });
      printTable(
        await take(items, options.limit),
        [
          ['kind', (row) => row.kind],
          ['since', (row) => row.since],
          ['title', (row) => row.title],
          ['reason', (row) => row.reason],
          ['approval', (row) => row.approvalId],
        ],
        isJson,
      );
    });
  program
    .command('approval')
    .description('show an approval or a question')
    .argument('<approval>', 'id, as the inbox shows it')
    .action(async (approvalId: string, _options, command: Command) => {
      const { client, isJson } = openConnection(command);
      const params = { path: { approvalId } };
      const approval = await unwrap(client.GET('/api/approvals/{approvalId}', { params }));
      showApproval(approval, isJson);
      if (!isJson) print(JSON.stringify(approval.payload, null, 2));
    });
  for (const verb of ['approve', 'reject'] as const) {
    program
      .command(verb)
      .description(`${verb} a hire or a strategy`)
      .argument('<approval>', 'id, as the inbox shows it')
      .option('--note <text>', 'why')
      .action(async (approvalId: string, options: { note?: string }, command: Command) => {
        const { client, isJson } = openConnection(command);
        const approval = await unwrap(
          client.POST(`/api/approvals/{approvalId}/${verb}`, {
            params: { path: { approvalId } },
            body: { decisionNote: options.note },
          }),
        );
        showApproval(approval, isJson);
      });
  }
  program
    .command('withdraw')
    .description('withdraw a request that has become pointless')
    .argument('<approval>', 'id, as the inbox shows it')
    .option('--reason <text>', 'why')
    .action(async (approvalId: string, body: { reason?: string }, command: Command) => {
      const { client, isJson } = openConnection(command);
      const params = { path: { approvalId } };
      const approval = await unwrap(
        client.POST('/api/approvals/{approvalId}/withdraw', { params, body }),
      );
      showApproval(approval, isJson);
    });
  program
    .command('answer')
    .description("answer an agent's question")
    .argument('<approval>', 'id, as the inbox shows it')
    .argument('[note]', 'the answer in words')
    .option('--option <option>', 'one of the options of the question')
    .action(async (approvalId: string, note: string | undefined, options, command: Command) => {
      const { client, isJson } = openConnection(command);
      const approval = await unwrap(
        client.POST('/api/approvals/{approvalId}/answer', {
          params: { path: { approvalId } },
          body: { note, option: options.option },
        }),
      );
      showApproval(approval, isJson);
    });
}

function showApproval(approval: Schemas['Approval'], isJson: boolean) {
  const { id, type, status, deadlineAt, decidedAt, decisionNote: note } = approval;
  printFields({ approval: id, type, status, deadlineAt, decidedAt, note }, isJson, approval);
}
