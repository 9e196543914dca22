import { listAll, unwrap, waitForIssue } from '@switchyard/client';
import { type Command, Option } from 'commander';
import { take } from '../collect.js';
import { CommandError, EXIT } from '../failure.js';
import { print, printFields, printJson, printTable } from '../output.js';
import { findAgent, openConnection, readIssue, type Service } from '../service.js';
import { parseCount } from './runs.js';

const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'blocked', 'done', 'cancelled'];
const PRIORITIES = ['critical', 'high', 'medium', 'low'];

export function addIssues(program: Command): void {
  const issue = program.command('issue').description('issues of the company');
  issue
    .command('list')
    .description('list issues, most urgent first')
    .addOption(new Option('--status <status...>', 'only these statuses').choices(STATUSES))
    .option('--assignee <agent>', 'only issues assigned to this agent')
    .option('--query <text>', 'only issues that contain this text')
    .option('--limit <count>', 'maximum number of rows', parseCount, 50)
    .action(async (options, command: Command) => {
      const service = openConnection(command);
      const assigneeAgentId = options.assignee && (await findAgent(service, options.assignee)).id;
      const params = {
        path: { companyId: await service.company() },
        query: {
          limit: Math.min(options.limit, 100),
          status: options.status,
          q: options.query,
          assigneeAgentId,
        },
      };
      const issues = listAll(service.client, '/api/companies/{companyId}/issues', { params });
      printTable(
        await take(issues, options.limit),
        [
          ['key', (row) => row.identifier],
          ['status', (row) => row.status],
          ['priority', (row) => row.priority],
          ['assignee', (row) => row.assigneeName],
          ['title', (row) => row.title],
        ],
        service.isJson,
      );
    });
  issue
    .command('show')
    .description('show an issue with its comments')
    .argument('<issue>', 'key such as ACME-12, or id')
    .action(async (issueId: string, _options, command: Command) =>
      showIssue(openConnection(command), issueId),
    );
  issue
    .command('create')
    .description('create an issue')
    .argument('<title>')
    .option('--description <text>', 'Markdown')
    .option('--assign <agent>', 'the agent to assign, which is woken')
    .addOption(new Option('--priority <priority>').choices(PRIORITIES))
    .option('--wait', 'wait until the issue has ended')
    .action(async (title: string, options, command: Command) => {
      const service = openConnection(command);
      const assigneeAgentId = options.assign && (await findAgent(service, options.assign)).id;
      const { description, priority } = options;
      const created = await unwrap(
        service.client.POST('/api/companies/{companyId}/issues', {
          params: { path: { companyId: await service.company() } },
          body: { title, description, priority, assigneeAgentId, status: 'todo' },
        }),
      );
      if (options.wait) return showEnd(service, created.id);
      const { identifier, id, status, woken } = created;
      const fields = { issue: identifier, id, status, ...startedBy(woken) };
      printFields(fields, service.isJson, created);
    });
  issue
    .command('comment')
    .description('comment on an issue; @Name wakes an agent')
    .argument('<issue>', 'key or id')
    .argument('<text>', 'Markdown')
    .action(async (issueId: string, body: string, _options, command: Command) => {
      const service = openConnection(command);
      const params = { path: { issueId } };
      const created = await unwrap(
        service.client.POST('/api/issues/{issueId}/comments', { params, body: { body } }),
      );
      const { id, mentions, woken } = created;
      const fields = { comment: id, ...startedBy([...mentions, ...woken]) };
      printFields(fields, service.isJson, created);
    });
  issue
    .command('update')
    .description('change an issue')
    .argument('<issue>', 'key or id')
    .option('--title <text>')
    .addOption(new Option('--status <status>').choices(STATUSES))
    .addOption(new Option('--priority <priority>').choices(PRIORITIES))
    .option('--assign <agent>', 'the agent to assign, which is woken')
    .option('--comment <text>', 'a comment on the change')
    .action(async (issueId: string, options, command: Command) => {
      const service = openConnection(command);
      const { title, status, priority, comment } = options;
      const assigneeAgentId = options.assign && (await findAgent(service, options.assign)).id;
      const changed = await unwrap(
        service.client.PATCH('/api/issues/{issueId}', {
          params: { path: { issueId } },
          body: { title, status, priority, comment, assigneeAgentId },
        }),
      );
      const { identifier, woken } = changed;
      const fields = { issue: identifier, status: changed.status, ...startedBy(woken) };
      printFields(fields, service.isJson, changed);
    });
  issue
    .command('wait')
    .description('wait until an issue has ended; exit with 1 if it was cancelled')
    .argument('<issue>', 'key or id')
    .action(async (issueId: string, _options, command: Command) => {
      const service = openConnection(command);
      await showEnd(service, issueId);
    });
}

interface Outcome {
  heartbeatRunId: string | null;
  wakeupId: string | null;
}

function startedBy(woken: Outcome[]) {
  const listed = (name: keyof Outcome) =>
    [...new Set(woken.flatMap((outcome) => outcome[name] ?? []))].join(', ') || null;
  return { wake: listed('wakeupId'), run: listed('heartbeatRunId') };
}

async function showIssue(service: Service, issueId: string) {
  const issue = await readIssue(service, issueId);
  const params = { path: { issueId: issue.id } };
  const comments = await unwrap(service.client.GET('/api/issues/{issueId}/comments', { params }));
  if (service.isJson) return printJson({ ...issue, comments });
  const { identifier, title, status, priority, dueDate } = issue;
  const blockedBy = issue.blockedBy.map((blocker) => blocker.identifier).join(', ') || null;
  printFields({ issue: identifier, title, status, priority, dueDate, blockedBy }, false);
  if (issue.description) print(`\n${issue.description}`);
  for (const comment of comments) print(`\n${comment.createdAt}\n${comment.body}`);
}

async function showEnd(service: Service, issueId: string) {
  const issue = await waitForIssue(service.client, issueId);
  const { identifier, status } = issue;
  printFields({ issue: identifier, status }, service.isJson, issue);
  if (status === 'cancelled') throw new CommandError(`${identifier} was cancelled.`, EXIT.failed);
}
