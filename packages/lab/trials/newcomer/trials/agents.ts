import type { AgentDetailView, InboxItemView } from '@switchyard/types';
import { type Caller, callerOf } from '../caller';
import { openPage } from '../page';
import { follow, newCompany, newIssue, place, send, type Trial } from '../trial';

const AGENTS = openPage('docs/agents/README.md');
const PYTHON = openPage('docs/agents/python.md');
const SHELL = openPage('docs/agents/shell.md');
const ELSEWHERE = openPage('docs/agents/elsewhere.md');

export function pythonAndShell(trial: Trial): void {
  let companyId: string;
  let ada: AgentDetailView;
  let grace: AgentDetailView;
  let asAda: Caller;
  let runId: string;

  follow(PYTHON, '# ada.py', async () => {
    companyId = await newCompany(trial, 'Python and shell');
    const path = await place(trial, PYTHON, 'ada.py');
    const body = PYTHON.block('"command": "python3"').replace('/srv/agents/ada.py', path);
    ada = await trial.board.ask('POST', `/api/companies/${companyId}/agents`, body);
    expect(ada).toMatchObject({ status: 'idle', warnings: [] });
  });

  follow(SHELL, '# ada.sh', async () => {
    const path = await place(trial, SHELL, 'ada.sh');
    const body = SHELL.block('"command": "sh"').replace('/srv/agents/ada.sh', path);
    const named = body.replace('"Ada"', '"Grace"');
    grace = await trial.board.ask('POST', `/api/companies/${companyId}/agents`, named);
    expect(grace).toMatchObject({ status: 'idle', warnings: [] });
  });

  follow(
    AGENTS,
    'Check the agent: `POST /api/agents/{agentId}/check` reports what is missing.',
    async (step) => {
      for (const { id } of [ada, grace]) {
        const found = await send<{ level: string }[]>(trial.board, step, {
          path: { '{agentId}': id },
        });
        expect(found.filter(({ level }) => level !== 'ok')).toEqual([]);
      }
    },
  );

  follow(
    AGENTS,
    'Wake the agent: mention `@Ada` in a comment, comment on its issue, assign an issue, or',
    async () => {
      for (const agent of [ada, grace]) {
        const { id, name } = agent;
        const assigned = await newIssue(trial, companyId, { assigneeAgentId: id });
        const run = await trial.board.runFor(assigned, agent);
        runId = run.id;
        expect(run).toMatchObject({
          status: 'succeeded',
          usage: { costCents: 7 },
        });
        const issue = await trial.board.ask('GET', `/api/issues/${assigned}`);
        expect(issue).toMatchObject({ status: 'done', assigneeAgentId: id });
        const mentioned = await newIssue(trial, companyId);
        const comment = await trial.board.ask<{ mentions: object[] }>(
          'POST',
          `/api/issues/${mentioned}/comments`,
          { body: `@${name} please look` },
        );
        expect(comment.mentions).toMatchObject([{ name, outcome: 'woken' }]);
        await trial.board.runFor(mentioned, agent);
        expect(await trial.board.thread(mentioned)).toEqual([
          'I read "Say hello".',
          `@${name} please look`,
        ]);
      }
    },
  );

  follow(AGENTS, 'Read the output: `GET /api/heartbeat-runs/{runId}/log`.', async (step) => {
    const log = await send<{ content: string }>(trial.board, step, { path: { '{runId}': runId } });
    expect(log.content).toContain('Woken by assignment');
  });

  follow(
    ELSEWHERE,
    'Create its API key: `POST /api/agents/{agentId}/keys`. The value is shown once.',
    async (step) => {
      const { key } = await send<{ key: string }>(trial.board, step, {
        path: { '{agentId}': ada.id },
      });
      asAda = callerOf(trial.started.address('API'), key);
      expect(await asAda.ask('GET', '/api/agents/me')).toMatchObject({ name: 'Ada' });
    },
  );

  it('GET /api/agent-guide: Propose to hire an agent; it waits for the board’s approval', async () => {
    const guide = await (await fetch(trial.started.address('agent guide'))).text();
    const line = '`POST /api/companies/{companyId}/agent-hires` Propose to hire an agent';
    expect(guide).toContain(line);
    const issueId = await newIssue(trial, companyId);
    await asAda.ask('POST', `/api/issues/${issueId}/checkout`, {
      agentId: ada.id,
      expectedStatuses: ['todo'],
    });
    const { adapterType, adapterConfig } = grace;
    await asAda.ask('POST', `/api/companies/${companyId}/agent-hires`, {
      name: 'Linus',
      issueIds: [issueId],
      proposedAdapter: { adapterType, adapterConfig },
    });
    await asAda.ask('PATCH', `/api/issues/${issueId}`, { status: 'blocked' });
    const [item] = await trial.board.ask<InboxItemView[]>(
      'GET',
      `/api/companies/${companyId}/inbox`,
    );
    expect(item).toMatchObject({ kind: 'approval', title: 'Hire Linus as engineer' });
    const approve = item?.actions.find(({ name }) => name === 'approve');
    const decided = await trial.board.ask('POST', approve?.path as string, {});
    expect(decided).toMatchObject({ status: 'approved', warnings: [] });
    const woken = await trial.board.runFor(issueId, ada);
    expect(woken).toMatchObject({ source: 'approval', status: 'succeeded', issueId });
    expect(await trial.board.log(woken.id)).toContain('The board decided: approved');
    const [linus] = await trial.board.ask<AgentDetailView[]>(
      'GET',
      `/api/companies/${companyId}/agents?name=Linus`,
    );
    if (!linus) throw new Error('no agent was hired');
    const first = await newIssue(trial, companyId, { assigneeAgentId: linus.id });
    expect(await trial.board.runFor(first, linus)).toMatchObject({ status: 'succeeded' });
  }, 300_000);
}
