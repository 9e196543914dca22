import { isId } from '@switchyard/db';
import { tool } from '@switchyard/mcp';
import { notFound } from '@switchyard/server';
import type {
  AgentDetailView,
  IssueDetailView,
  RoutineRunView,
  RoutineSummaryView,
  UpdatedIssueView,
} from '@switchyard/types';
import { z } from 'zod';
import type { Caller } from '../caller';
import { agentIdOf, companyOf } from '../names';
import { company, createIssue, newIssue, requestKey, wokenText } from '../shared-tools';
import { writing, written } from '../texts';

export const create = tool<Caller>()({
  name: 'create',
  description: 'Create an issue; its assignee (agent name) starts immediately.',
  input: z.object({ ...newIssue, company, request_key: requestKey }),
  output: written,
  run: (args, caller) => createIssue('create', args, caller),
});

export const assign = tool<Caller>()({
  name: 'assign',
  description: 'Assign an issue to an agent, by name, and wake it; or to "me" or "none".',
  input: z.object({ issue: z.string(), assignee: z.string() }),
  output: written,
  run: async ({ issue, assignee }, caller) => {
    const params = { issueId: issue };
    const isAgent = assignee !== 'me' && assignee !== 'none';
    const { companyId } = await caller.call<IssueDetailView>('getIssue', { params });
    const { identifier, woken } = await caller.call<UpdatedIssueView>('updateIssue', {
      params,
      body: {
        assigneeAgentId: isAgent ? await agentIdOf(caller, companyId, assignee) : null,
        assigneeUserId: assignee === 'me' ? 'me' : null,
      },
    });
    const done = `${identifier}: ${assignee}. ${wokenText(woken)}`;
    return writing(identifier, done, 'runs shows the result');
  },
});

export const pauseResume = tool<Caller>()({
  name: 'pause_resume',
  description: 'Pause an agent and stop its runs, or resume it.',
  input: z.object({ agent: z.string(), to: z.enum(['pause', 'resume']), company }),
  output: written,
  run: async ({ agent, to, company: named }, caller) => {
    const agentId = await agentIn(caller, agent, named);
    const operation = to === 'pause' ? 'pauseAgent' : 'resumeAgent';
    const { id, name, status } = await caller.call<AgentDetailView>(operation, {
      params: { agentId },
    });
    return writing(
      id,
      `${name} is ${status}.`,
      to === 'pause' ? 'resume the agent when it may continue' : 'runs',
    );
  },
});

export const budget = tool<Caller>()({
  name: 'budget',
  description: "Set the monthly budget of an agent, or the company's; 0 removes the limit.",
  input: z.object({ cents: z.int(), agent: z.string().optional(), company }),
  output: written,
  run: async ({ cents, agent, company: named }, caller) => {
    const body = { budgetMonthlyCents: cents };
    const [operation, params]: [string, Record<string, string>] = agent
      ? ['updateAgent', { agentId: await agentIn(caller, agent, named) }]
      : ['updateCompany', { companyId: await companyOf(caller, named) }];
    const after = await caller.call<AgentDetailView>(operation, { params, body });
    const done = `${after.name}: ${after.spentMonthlyCents} of ${cents} cents spent this month.`;
    return writing(after.id, done, agent ? 'pause_resume, if it was stopped' : 'needs_me');
  },
});

const agentIn = async (caller: Caller, agent: string, named?: string) =>
  isId(agent) ? agent : agentIdOf(caller, await companyOf(caller, named), agent);

export const fire = tool<Caller>()({
  name: 'fire',
  description: 'Run a routine now, by title or id.',
  input: z.object({
    routine: z.string(),
    payload: z.record(z.string(), z.unknown()).optional(),
    company,
    request_key: requestKey,
  }),
  output: written,
  run: async (args, caller) => {
    const routineId = await routineIdOf(caller, args.routine, args.company);
    const made = await caller.write<RoutineRunView>('runRoutine', {
      tool: 'fire',
      args,
      params: { routineId },
      body: { payload: args.payload },
    });
    const { id, status, failureReason } = made.body;
    const why = failureReason ? `: ${failureReason}` : '';
    return writing(id, `The routine run is ${status}${why}.`, 'runs shows the result', made);
  },
});

async function routineIdOf(caller: Caller, named: string, companyName?: string): Promise<string> {
  if (isId(named)) return named;
  const all = await caller.call<RoutineSummaryView[]>('listRoutines', {
    params: { companyId: await companyOf(caller, companyName) },
    query: { limit: '500' },
  });
  const found = all.filter(({ title }) => title.toLowerCase() === named.toLowerCase());
  if (found[0] && found.length === 1) return found[0].id;
  const titles = all.slice(0, 10).map(({ title }) => title.slice(0, 60));
  throw notFound(
    'routine',
    `routine must be the id or one of the titles: ${titles.join('; ') || 'the company has no routine'}`,
  );
}
