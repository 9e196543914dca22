import { listAll, unwrap } from '@switchyard/client';
import type { Command } from 'commander';
import { collect } from '../collect.js';
import { CommandError } from '../failure.js';
import { money, printFields, printTable } from '../output.js';
import { findCompany, openConnection } from '../service.js';
import { readSettings, saveSettings } from '../settings.js';

export function addCompanies(program: Command): void {
  const company = program.command('company').description('companies that you are a member of');
  company
    .command('list')
    .description('list companies')
    .action(async (_options, command: Command) => {
      const { client, isJson } = openConnection(command);
      const companies = await collect(listAll(client, '/api/companies', { params: {} }));
      printTable(
        companies,
        [
          ['prefix', (row) => row.issuePrefix],
          ['name', (row) => row.name],
          ['status', (row) => row.status],
          ['spent', (row) => money(row.spentMonthlyCents)],
          [
            'budget',
            (row) => (row.budgetMonthlyCents ? money(row.budgetMonthlyCents) : 'no limit'),
          ],
        ],
        isJson,
      );
    });
  company
    .command('create')
    .description('create a company')
    .argument('<name>')
    .option('--budget <dollars>', 'budget per month', parseDollars)
    .action(async (name: string, options: { budget?: number }, command: Command) => {
      const { client, isJson } = openConnection(command);
      const body = { name, budgetMonthlyCents: options.budget };
      const created = await unwrap(client.POST('/api/companies', { body }));
      const { id, issuePrefix } = created;
      printFields({ id, prefix: issuePrefix, name: created.name }, isJson, created);
    });
  company
    .command('use')
    .description('set the default company of all commands')
    .argument('<company>', 'name, prefix or id')
    .action(async (wanted: string, _options, command: Command) => {
      const { client, url, isJson } = openConnection(command);
      const companyId = await findCompany(client, wanted);
      const saved = readSettings();
      if (saved.token !== undefined && saved.url !== url) {
        throw new CommandError(
          `You are signed in at ${saved.url}. To sign in at ${url}: switchyard --url ${url} login`,
        );
      }
      saveSettings({ ...saved, url, companyId });
      printFields({ company: wanted, id: companyId, url }, isJson);
    });
}

/**
 * Returns cents.
 * @throws CommandError unless the text is an amount with at most two decimals
 */
export function parseDollars(text: string): number {
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(text)) {
    throw new CommandError(`"${text}" must be an amount in dollars, such as 25 or 12.50.`);
  }
  return Math.round(Number(text) * 100);
}
