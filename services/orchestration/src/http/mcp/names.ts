import { isId } from '@switchyard/db';
import { invalidField, notFound } from '@switchyard/server';
import type { AgentView, CompanyView, IssueDetailView } from '@switchyard/types';
import type { Caller } from './caller';

export async function companyOf(caller: Caller, named?: string): Promise<string> {
  const { actor } = caller;
  if (actor.type === 'agent') return actor.companyId;
  if (named !== undefined && isId(named)) return named;
  const all = await caller.call<CompanyView[]>('listCompanies', { query: { limit: '500' } });
  const wanted = named?.toLowerCase();
  const fitting = all.filter(({ status, name, issuePrefix }) =>
    wanted === undefined
      ? status !== 'archived'
      : [name.toLowerCase(), issuePrefix.toLowerCase()].includes(wanted),
  );
  const [company] = fitting;
  if (company && fitting.length === 1) return company.id;
  const names = all.slice(0, 20).map(({ issuePrefix, name }) => `${issuePrefix} (${name})`);
  throw invalidField('company', `must name one of your companies: ${names.join(', ') || 'none'}`);
}

export async function agentIdOf(caller: Caller, companyId: string, named: string): Promise<string> {
  if (isId(named)) return named;
  const query = { name: named };
  const [agent] = await caller.call<AgentView[]>('listAgents', { params: { companyId }, query });
  if (!agent)
    throw notFound('agent', `${named.slice(0, 100)} is not a known name; use find to look it up`);
  return agent.id;
}

export async function issueIdOf(caller: Caller, named: string | undefined) {
  if (named === undefined || isId(named)) return named;
  const issue = await caller.call<IssueDetailView>('getIssue', { params: { issueId: named } });
  return issue.id;
}
