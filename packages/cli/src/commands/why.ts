import { type Schemas, unwrap } from '@switchyard/client';
import type { Command } from 'commander';
import { printFields } from '../output.js';
import { openConnection, readIssue, type Service } from '../service.js';
import { readRun } from './runs.js';

type WaitsFor = NonNullable<Schemas['HeartbeatRunDetail']['waitsFor']>;

const REASONS: Record<WaitsFor, string> = {
  retry_time: 'It is a retry, and its start time has not been reached.',
  agent: 'Other runs of its agent use all slots of the agent.',
  agent_fetch: 'Its agent is external and has not fetched the run yet.',
  agent_stopped: 'Its agent or its company is paused or stopped.',
  company_limit: 'Its company has reached its limit of concurrent runs.',
  limit: 'A limit of one of its keys is paused or reached.',
  worker: 'No worker or runner that may execute it has a free slot.',
};

export function addWhy(program: Command): void {
  program
    .command('why')
    .description('show what a run or an issue waits for')
    .argument('<what>', 'id of a run, or key of an issue')
    .action(async (wanted: string, _options, command: Command) => {
      const service = openConnection(command);
      const isIssue = /^[A-Za-z][A-Za-z0-9]*-\d+$/.test(wanted);
      await (isIssue ? explainIssue(service, wanted) : explainRun(service, wanted));
    });
}

async function explainRun(service: Service, runId: string) {
  const run = await readRun(service, runId);
  const { id, status, error, waitsFor, queuePosition, expectedStartAt, notBefore } = run;
  const ended = error ?? (status === 'running' ? 'It is running.' : 'It has ended.');
  const because = waitsFor ? REASONS[waitsFor] : ended;
  const limit = limitOf(run);
  printFields(
    { run: id, status, waitsFor, because, ...limit, queuePosition, expectedStartAt, notBefore },
    service.isJson,
  );
}

async function explainIssue(service: Service, key: string) {
  const issue = await readIssue(service, key);
  const { identifier, status } = issue;
  const open = issue.blockedBy.filter((blocker) => !['done', 'cancelled'].includes(blocker.status));
  const blockedBy = open.map((blocker) => `${blocker.identifier} (${blocker.status})`).join(', ');
  const found = (await newestRun(service, issue, ['queued'])) ?? (await newestRun(service, issue));
  const run = found && (await readRun(service, found.id));
  const because =
    (blockedBy && 'Other issues block it.') ||
    (run?.waitsFor && REASONS[run.waitsFor]) ||
    (issue.assigneeAgentId === null && issue.assigneeUserId === null && 'It has no assignee.') ||
    (run ? `The status of its latest run is ${run.status}.` : 'It has no run yet.');
  printFields(
    {
      issue: identifier,
      status,
      because,
      blockedBy: blockedBy || null,
      run: run?.id,
      ...(run && limitOf(run)),
      ...placeOf(run),
    },
    service.isJson,
  );
}

const limitOf = ({ limit }: Schemas['HeartbeatRunDetail']) =>
  limit && {
    limit: limit.isPaused
      ? `${limit.key} (paused)`
      : `${limit.key} (${limit.running} of ${limit.maxRunning})`,
    heldBy: limit.heldBy.map(({ runId, agentName }) => `${agentName} ${runId}`).join(', ') || null,
  };

const placeOf = (run: Schemas['HeartbeatRunDetail'] | undefined) =>
  run?.queuePosition
    ? { queuePosition: run.queuePosition, expectedStartAt: run.expectedStartAt }
    : {};

type RunStatus = Schemas['HeartbeatRunDetail']['status'];

async function newestRun(
  { client }: Service,
  { id: issueId, companyId }: Schemas['IssueDetail'],
  status?: RunStatus[],
) {
  const params = { path: { companyId }, query: { issueId, limit: 1, ...(status && { status }) } };
  const [run] = await unwrap(client.GET('/api/companies/{companyId}/heartbeat-runs', { params }));
  return run;
}
