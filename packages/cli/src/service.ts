import {
  createClient,
  listAll,
  type OrchestrationClient,
  type Schemas,
  unwrap,
} from '@switchyard/client';
import type { Command } from 'commander';
import { collect } from './collect.js';
import { CommandError } from './failure.js';
import { resolveConnection } from './settings.js';

export interface Service {
  url: string;
  token: string | undefined;
  client: OrchestrationClient;
  isJson: boolean;
  /**
   * Returns the id of the command's company.
   * @throws CommandError when several companies are possible
   */
  company: () => Promise<string>;
  /** True if the command line names the company; entities of other companies are then rejected. */
  isCompanyNamed: boolean;
}

export interface GlobalOptions {
  url?: string;
  company?: string;
  json?: boolean;
}

export function openConnection(command: Command): Service {
  const options = command.optsWithGlobals<GlobalOptions>();
  const { url, token, companyId } = resolveConnection(options);
  const client = createClient({ baseUrl: url, token });
  let found: Promise<string> | undefined;
  const company = () => (found ??= findCompany(client, companyId));
  const isCompanyNamed = options.company !== undefined;
  return { url, token, client, isJson: options.json === true, company, isCompanyNamed };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function findCompany(client: OrchestrationClient, wanted: string | undefined) {
  if (wanted !== undefined && UUID.test(wanted)) return wanted.toLowerCase();
  const companies = await collect(listAll(client, '/api/companies', { params: {} }));
  if (wanted !== undefined) return pick('company', companies, wanted, ['name', 'issuePrefix']).id;
  const [only, ...others] = companies.filter(({ status }) => status !== 'archived');
  if (only === undefined)
    throw new CommandError('Create a company first: switchyard company create "Name"');
  if (others.length === 0) return only.id;
  throw new CommandError(
    'You have several companies: choose one with --company, or set a default with: switchyard company use',
  );
}

export async function findAgent(
  { client, company, isCompanyNamed }: Service,
  wanted: string,
): Promise<Pick<Schemas['ListedAgent'], 'id' | 'adapterType'>> {
  if (UUID.test(wanted)) {
    const params = { path: { agentId: wanted } };
    const agent = await unwrap(client.GET('/api/agents/{agentId}', { params }));
    if (isCompanyNamed && agent.companyId !== (await company())) {
      throw new CommandError(
        `The agent ${wanted} must belong to the company that --company names.`,
      );
    }
    return agent;
  }
  const params = { path: { companyId: await company() }, query: { name: wanted } };
  const [agent] = await unwrap(client.GET('/api/companies/{companyId}/agents', { params }));
  if (agent === undefined) throw new CommandError(`The agent "${wanted}" was not found.`);
  return agent;
}

export async function findRoutine(service: Service, wanted: string) {
  const params = { path: { companyId: await service.company() } };
  const routines = await collect(
    listAll(service.client, '/api/companies/{companyId}/routines', { params }),
  );
  return pick('routine', routines, wanted, ['title', 'id']);
}

export const readIssue = (service: Service, issueId: string): Promise<Schemas['IssueDetail']> =>
  unwrap(service.client.GET('/api/issues/{issueId}', { params: { path: { issueId } } }));

function pick<Row extends Record<string, unknown>>(
  kind: string,
  rows: Row[],
  wanted: string,
  fields: (keyof Row & string)[],
): Row {
  const fold = (value: unknown) => String(value).trim().toLowerCase();
  const [found, ...others] = rows.filter((row) =>
    fields.some((field) => fold(row[field]) === fold(wanted)),
  );
  if (found === undefined) throw new CommandError(`The ${kind} "${wanted}" was not found.`);
  if (others.length > 0) throw new CommandError(`The name "${wanted}" is not unique: use the id.`);
  return found;
}
