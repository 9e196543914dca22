import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '@switchyard/testing';
import type { CommentView, HeartbeatRunView } from '@switchyard/types';
import type { Workers } from '../src/work/jobs';
import { useHarness } from './harness';
import { ROOT } from './read-repository';
import { startWorkers } from './runner';

describe('a remote agent', () => {
  const harness = useHarness();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-elsewhere-'));
  const programs: ChildProcess[] = [];
  const workers: Workers[] = [];
  afterEach(async () => {
    for (const program of programs.splice(0)) {
      const ended = once(program, 'exit');
      if (program.kill()) await ended;
    }
    for (const each of workers.splice(0)) {
      await each.close({ handOverAfterMs: 0 });
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = async (file: string, env: Record<string, string>) => {
    const path = join(folder, file);
    await writeFile(path, printedProgram('elsewhere.md', file));
    const program = spawn('python3', [path], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    });
    programs.push(program);
    return program;
  };
  const ended = (id: string) =>
    until('the end of the run', async () => {
      const { body } = await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200);
      return (body as HeartbeatRunView).finishedAt === null ? null : (body as HeartbeatRunView);
    });
  const thread = async (issueId: string) => {
    const { body } = await harness.api.get(`/api/issues/${issueId}/comments`).expect(200);
    return (body as CommentView[]).map((comment) => comment.body);
  };
  const logOf = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}/log`).expect(200)).body.content;

  it('fetches one run after another', async () => {
    const agent = await harness.build.agent({ adapterType: 'external', adapterConfig: {} });
    const key = (await harness.build.apiKey(agent.id)).replace('Bearer ', '');
    await start('poll.py', { SWITCHYARD_URL: harness.url, SWITCHYARD_KEY: key });
    const issue = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
    for (let turn = 1; turn <= 2; turn++) {
      const { id } = await harness.build.queuedRun(agent.id, { issueId: issue.id });
      expect(await ended(id)).toMatchObject({ status: 'succeeded', attempt: 1 });
      expect(await logOf(id)).toBe('All seen.\n');
      expect(await thread(issue.id)).toHaveLength(turn);
    }
  });

  it('responds to a signed call with 202, and finishes the run later', async () => {
    const value = randomBytes(32).toString('base64');
    const secret = await harness.build.secret({ value });
    const program = await start('later.py', { SIGNING_SECRET: value });
    const [url] = (await once(createInterface(program.stdout!), 'line')) as [string];
    const { companyId } = secret;
    const signingSecret = { type: 'secret_ref', secretId: secret.id };
    const agentOf = (adapterConfig: object) =>
      harness.build.agent({ companyId, adapterType: 'http', adapterConfig: { ...adapterConfig } });
    const agent = await agentOf({ url, signingSecret });
    const issue = await harness.build.issue({ companyId, status: 'todo' });
    workers.push(startWorkers(harness.context));
    const { id } = await harness.build.queuedRun(agent.id, { issueId: issue.id });
    expect(await ended(id)).toMatchObject({ status: 'succeeded', usage: { costCents: 7 } });
    expect(await thread(issue.id)).toEqual(['Seen: manual.']);
    const refusalOf = async (config: object) => {
      const run = await harness.build.queuedRun((await agentOf(config)).id);
      return ended(run.id);
    };
    expect(await refusalOf({ url })).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^answered 401: .*not signed.*set adapterConfig.signingSecret/),
    });
    const other = await harness.build.secret({
      companyId,
      value: randomBytes(32).toString('base64'),
    });
    const wrong = { type: 'secret_ref', secretId: other.id };
    expect(await refusalOf({ url, signingSecret: wrong })).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(
        /^answered 401: .*signingSecret must name the secret with which/,
      ),
    });
  });
});

function printedProgram(page: string, file: string): string {
  const document = readFileSync(join(ROOT, 'docs/agents', page), 'utf8');
  const blocks = [...document.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');
  const found = blocks.find((text) =>
    text.split('\n', 2).some((line) => line.endsWith(` ${file}`)),
  );
  if (found === undefined) throw new Error(`no block of ${page} is ${file}`);
  return found;
}
