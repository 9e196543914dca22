import { clip, reading, tool } from '@switchyard/mcp';
import type {
  HeartbeatRunDetailView,
  InboxItemView,
  ListedRunView,
  RunLogView,
} from '@switchyard/types';
import { z } from 'zod';
import type { Caller } from '../caller';
import { agentIdOf, companyOf, issueIdOf } from '../names';
import { company } from '../shared-tools';

const SUBJECTS: readonly (keyof InboxItemView & `${string}Id`)[] = [
  'approvalId',
  'runId',
  'issueId',
  'agentId',
];

export const needsMe = tool<Caller>()({
  name: 'needs_me',
  description: 'List what needs a person, most urgent first.',
  reads: true,
  input: z.object({ company }),
  run: async ({ company: named }, caller) => {
    const items = await caller.call<InboxItemView[]>('listInbox', {
      params: { companyId: await companyOf(caller, named) },
      query: { limit: '7' },
    });
    if (items.length === 0) return reading(['Nothing needs you.'], 'nothing');
    return reading(items.flatMap(itemLines), 'decide by the id, or assign, pause_resume, budget');
  },
});

function itemLines(item: InboxItemView): string[] {
  const { kind, severity, title, reason, actions } = item;
  const id = SUBJECTS.map((name) => item[name]).find((each) => each !== null) ?? item.id;
  const options = actions.flatMap(({ fields = [] }) =>
    fields.flatMap(({ options: all = [] }) => all),
  );
  const choice = options.length > 0 ? ` options: ${options.map(({ key }) => key).join(', ')}` : '';
  return [`${severity} ${kind} ${id}: ${clip(title, 90)}. ${clip(reason, 90)}${clip(choice, 100)}`];
}

export const runs = tool<Caller>()({
  name: 'runs',
  description:
    'List the latest runs by agent, issue or status, or read one run with the end of its log.',
  reads: true,
  input: z.object({
    run: z.string().optional().describe('id'),
    agent: z.string().optional(),
    issue: z.string().optional(),
    status: z.enum(['queued', 'running', 'succeeded', 'failed']).optional(),
    company,
  }),
  run: async (args, caller) => {
    if (args.run !== undefined) return oneRun(caller, args.run);
    const companyId = await companyOf(caller, args.company);
    const found = await caller.call<ListedRunView[]>('listHeartbeatRuns', {
      params: { companyId },
      query: {
        agentId: args.agent && (await agentIdOf(caller, companyId, args.agent)),
        issueId: await issueIdOf(caller, args.issue),
        status: args.status,
        limit: '8',
      },
    });
    const lines = found.map(
      ({ id, status, agentName, issue, usage }) =>
        `${id} ${status} ${clip(agentName, 40)} ${issue?.identifier ?? ''} ${usage.costCents} cents`,
    );
    return reading(lines.length > 0 ? lines : ['No run.'], 'pass one run id to see its log');
  },
});

async function oneRun(caller: Caller, runId: string) {
  const params = { runId };
  const run = await caller.call<HeartbeatRunDetailView>('getHeartbeatRun', { params });
  const log = await caller.call<RunLogView>('readHeartbeatRunLog', {
    params,
    query: { tail: '500' },
  });
  const { status, agentName, issue, errorCode, error, usage, waitsFor } = run;
  return reading(
    [
      `${status}: ${agentName} ${issue?.identifier ?? ''}, ${usage.costCents} cents`,
      ...(waitsFor ? [`Waits for: ${waitsFor}`] : []),
      ...(errorCode ? [`${errorCode}: ${clip(error ?? '', 200)}`] : []),
      `End of its log: ${clip(log.content, 450)}`,
    ],
    status === 'failed'
      ? 'decide retry'
      : status === 'running'
        ? 'decide stop, or wait'
        : 'nothing',
  );
}
