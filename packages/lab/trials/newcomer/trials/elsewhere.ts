import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until } from '@switchyard/testing';
import type { AgentDetailView, InboxItemView } from '@switchyard/types';
import { openPage } from '../page';
import { follow, newCompany, newIssue, place, send, type Trial } from '../trial';

const PAGE = openPage('docs/agents/elsewhere.md');

export function externalAndAsynchronous(trial: Trial): void {
  const programs: ChildProcess[] = [];
  let companyId: string;
  let agent: AgentDetailView;
  let key: string;
  let secret: { value: string; id: string };
  let url: string;

  afterAll(async () => {
    for (const program of programs) {
      const ended = once(program, 'exit');
      if (program.kill()) await ended;
    }
  });
  const startProgram = async (file: string, env: Record<string, string>) => {
    const words = [await place(trial, PAGE, file)];
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const program = spawn('python3', words, {
      env: { ...trial.clone.env, ...env },
      stdio: [...stdio],
    });
    programs.push(program);
    return program;
  };

  follow(
    PAGE,
    'Create the agent with `{ "name": "Ada", "adapterType": "external", "adapterConfig": {} }`.',
    async () => {
      companyId = await newCompany(trial, 'Elsewhere');
      const body = '{ "name": "Ada", "adapterType": "external", "adapterConfig": {} }';
      agent = await trial.board.ask('POST', `/api/companies/${companyId}/agents`, body);
      expect(agent).toMatchObject({ status: 'idle', warnings: [] });
    },
  );
  follow(
    PAGE,
    'Create its API key: `POST /api/agents/{agentId}/keys`. The value is shown once.',
    async (step) => {
      ({ key } = await send<{ key: string }>(trial.board, step, {
        path: { '{agentId}': agent.id },
      }));
    },
  );
  follow(PAGE, 'Run the program with `SWITCHYARD_URL`', async () => {
    await startProgram('poll.py', { SWITCHYARD_URL: trial.board.base, SWITCHYARD_KEY: key });
    for (let turn = 1; turn <= 2; turn++) {
      const issueId = await newIssue(trial, companyId, { assigneeAgentId: agent.id });
      const run = await trial.board.runFor(issueId, agent);
      expect(run).toMatchObject({ status: 'succeeded', issueId });
      expect(await trial.board.log(run.id)).toBe('All seen.\n');
      expect(await trial.board.thread(issueId)).toEqual(['Seen: assignment.']);
    }
  });

  follow(
    PAGE,
    'Make a secret: `openssl rand -base64 32`. Store it with `POST /api/companies/{companyId}/secrets` and `{ "name": "signing", "value": "…" }`',
    async (step) => {
      const value = (await trial.clone.paste('openssl rand -base64 32')).trim();
      const path = { '{companyId}': companyId };
      const { id } = await send(trial.board, step, { path, body: { '…': value } });
      secret = { value, id: id as string };
    },
  );
  follow(PAGE, 'Start the program. It prints its address.', async () => {
    const program = await startProgram('later.py', { SIGNING_SECRET: secret.value });
    [url] = (await once(createInterface(program.stdout!), 'line')) as [string];
  });
  const callable = async (name: string, secretId: string) => {
    const body = PAGE.block('"signingSecret": {')
      .replace('"Ada"', `"${name}"`)
      .replace('https://agents.example/ada', url)
      .replace('"secretId": "…"', `"secretId": "${secretId}"`);
    return trial.board.ask<AgentDetailView>('POST', `/api/companies/${companyId}/agents`, body);
  };
  follow(PAGE, 'Create the agent with that address, and the `id` of the secret:', async () => {
    const called = await callable('Bob', secret.id);
    expect(called).toMatchObject({ warnings: [] });
    const issueId = await newIssue(trial, companyId, { assigneeAgentId: called.id });
    expect(await trial.board.runFor(issueId, called)).toMatchObject({
      status: 'succeeded',
      usage: { costCents: 7 },
    });
    expect(await trial.board.thread(issueId)).toEqual(['Seen: assignment.']);
  });

  it('with a wrong secret, which the run and the inbox report', async () => {
    const value = (await trial.clone.paste('openssl rand -base64 32')).trim();
    const path = `/api/companies/${companyId}/secrets`;
    const other = await trial.board.ask('POST', path, { name: 'other', value });
    const called = await callable('Eve', other.id as string);
    const issueId = await newIssue(trial, companyId, { assigneeAgentId: called.id });
    const run = await trial.board.runFor(issueId, called);
    expect(run).toMatchObject({ status: 'failed', errorCode: 'http_status' });
    expect(run.error).toMatch(/signingSecret must name the secret with which the agent checks/);
    const items = await until('the failed run', async () => {
      const all = await trial.board.ask<InboxItemView[]>(
        'GET',
        `/api/companies/${companyId}/inbox`,
      );
      const about = all.filter(({ agentId }) => agentId === called.id);
      return about.length > 0 && about;
    });
    expect(items).toMatchObject([
      { kind: 'failed_run', reason: expect.stringContaining(run.error!) },
    ]);
  });
}
