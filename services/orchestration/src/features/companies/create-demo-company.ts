import { DEMO_AGENT } from '@switchyard/runner/agents/command/bundled-agent';
import type { CompanyView } from '@switchyard/types';
import { assertMayFound } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { foundCompany } from '../../state/companies/found-company';
import { createAgent } from '../agents/create-agent';
import { createGoal } from '../goals/create-goal';
import { createIssue } from '../issues/create-issue';
import { createProject } from '../projects/create-project';
import { getCompany } from './companies';

/**
 * Creates a company in which two agents start to work immediately: one finishes an issue, the other
 * asks the board. The agents run a bundled program that calls no model, so the costs that they
 * report are fictitious.
 * @throws ApiError 403 `administrators_only` if COMPANY_FOUNDERS excludes the caller
 */
export async function createDemoCompany(call: Call<string | null>): Promise<CompanyView> {
  assertMayFound(call.actor, call.context.config.companyFounders);
  return inTransaction(call, async (tx) => {
    const companyId = await foundCompany(tx, {
      name: 'Demo company',
      description: 'Two agents that work without a model and show how a company runs.',
      budgetMonthlyCents: 5_000,
    });
    const company: Call = { ...tx, companyId };
    const mira = await hire(company, { name: 'Mira', role: 'ceo', title: 'Head of product' });
    const ada = await hire(company, { name: 'Ada', role: 'engineer', reportsTo: mira });
    const goal = await createGoal(company, {
      title: 'People book a table online',
      level: 'company',
    });
    const project = await createProject(company, { name: 'Booking page', goalIds: [goal.id] });
    const belongsTo = { projectId: project.id, goalId: goal.id };
    await createIssue(company, {
      ...belongsTo,
      title: 'Choose the region that opens first',
      description: 'Compare Berlin and Vienna. Ask the board before you decide.',
      status: 'todo',
      priority: 'high',
      assigneeAgentId: mira,
    });
    await createIssue(company, {
      ...belongsTo,
      title: 'Write the welcome text',
      description: 'Two sentences for the page that guests see first.',
      status: 'todo',
      assigneeAgentId: ada,
    });
    await createIssue(company, { ...belongsTo, title: 'Plan the opening week', priority: 'low' });
    return getCompany(company);
  });
}

async function hire(
  company: Call,
  agent: { name: string; role: 'ceo' | 'engineer'; title?: string; reportsTo?: string },
): Promise<string> {
  const { id } = await createAgent(company, {
    ...agent,
    adapterType: 'process',
    adapterConfig: { command: DEMO_AGENT },
    budgetMonthlyCents: 2_500,
  });
  return id;
}
