import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { CommentView, HeartbeatRunDetailView, HeartbeatRunView } from '@switchyard/types';
import { useHarness } from './harness';
import { ROOT } from './read-repository';

const exec = promisify(execFile);
const page = (name: string) => readFileSync(join(ROOT, 'docs/agents', name), 'utf8');

function programOf(document: string, file: string): string {
  const blocks = [...document.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');
  const found = blocks.find((text) =>
    text.split('\n', 2).some((line) => line.endsWith(` ${file}`)),
  );
  if (found === undefined) throw new Error(`no block of the page is ${file}`);
  return found;
}

describe('the example agents in docs/agents', () => {
  const harness = useHarness();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-examples-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const place = async (document: string, file: string) => {
    const path = join(folder, file);
    await writeFile(path, programOf(page(document), file));
    return path;
  };
  const compiled = async (file: string) => {
    const source = await place('typescript.md', file);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const options = /npx tsc (.*) ada\.ts$/m.exec(page('typescript.md'))?.[1]?.split(' ') ?? [];
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const roots = ['--typeRoots', join(ROOT, 'node_modules/@types')];
    await exec(process.execPath, [tsc, ...options, ...roots, source], { cwd: folder });
    return join(folder, 'dist', file.replace('.ts', '.js'));
  };
  const read = async <T>(path: string) => (await harness.api.get(path).expect(200)).body as T;
  const thread = async (issueId: string) =>
    (await read<CommentView[]>(`/api/issues/${issueId}/comments`)).map(({ body }) => body);

  const PROCESSES = {
    Python: async () => ({ command: 'python3', args: [await place('python.md', 'ada.py')] }),
    TypeScript: async () => ({ command: process.execPath, args: [await compiled('ada.ts')] }),
    shell: async () => ({ command: 'sh', args: [await place('shell.md', 'ada.sh')] }),
  };

  it.each(Object.entries(PROCESSES))(
    'finish an open issue, comment on a finished issue, and report their usage (%s)',
    async (_language, configure) => {
      const adapterConfig = await configure();
      const agent = await harness.build.agent({
        name: 'Ada',
        adapterType: 'process',
        adapterConfig,
      });
      const { companyId, id: agentId } = agent;
      const open = await harness.build.issue({
        companyId,
        title: 'The "open" one',
        status: 'todo',
      });
      const ended = await harness.build.issue({ companyId, status: 'todo' });
      await harness.api.patch(`/api/issues/${ended.id}`).send({ status: 'cancelled' }).expect(200);
      const run = await harness.build.queuedRun(agentId, { issueId: open.id, reason: 'look' });
      await harness.build.queuedRun(agentId, { issueId: ended.id });
      await harness.drain();
      const path = `/api/heartbeat-runs/${run.id}`;
      const { body: log } = await harness.api.get(`${path}/log`).expect(200);
      const after = await read<HeartbeatRunDetailView>(path);
      expect({ ...after, log: log.content }).toMatchObject({
        status: 'succeeded',
        usage: { inputTokens: 1200, outputTokens: 340, costCents: 7, unpricedEvents: 0 },
        log: expect.stringContaining('Woken by manual'),
      });
      expect(await thread(open.id)).toEqual(['I read "The "open" one".']);
      expect(await read(`/api/issues/${open.id}`)).toMatchObject({ status: 'done' });
      expect(await thread(ended.id)).toEqual(['This issue is cancelled: please create a new one.']);
    },
  );

  it.each(Object.entries(PROCESSES))(
    'reply to a mention on an issue that another agent has checked out (%s)',
    async (_language, configure) => {
      const adapterConfig = await configure();
      const agent = await harness.build.agent({
        name: 'Ada',
        adapterType: 'process',
        adapterConfig,
      });
      const { companyId } = agent;
      const other = await harness.build.agent({ companyId, name: 'Grace' });
      const issue = await harness.build.issue({ companyId, status: 'todo' });
      const claim = { agentId: other.id, expectedStatuses: ['todo'] };
      await harness.api.post(`/api/issues/${issue.id}/checkout`).send(claim).expect(200);
      const comment = { body: '@Ada please look' };
      await harness.api.post(`/api/issues/${issue.id}/comments`).send(comment).expect(201);
      await harness.drain();
      expect(await thread(issue.id)).toEqual([
        'Seen. Another agent or a person is working on this issue.',
        comment.body,
      ]);
      expect(await read(`/api/issues/${issue.id}`)).toMatchObject({ assigneeAgentId: other.id });
    },
  );

  const SERVERS = {
    Python: async () => ['python3', await place('python.md', 'ada_server.py')] as const,
    TypeScript: async () => [process.execPath, await compiled('ada-server.ts')] as const,
  };

  it.each(Object.entries(SERVERS))(
    'comment on the issue of a wake that Switchyard sends to their URL (%s)',
    async (_, start) => {
      const [command, program] = await start();
      const server = spawn(command, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(server, 'exit');
      try {
        const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
        const agent = await harness.build.agent({ adapterType: 'http', adapterConfig: { url } });
        const issue = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
        const run = await harness.build.queuedRun(agent.id, { issueId: issue.id });
        await harness.drain();
        const after = await read<HeartbeatRunView>(`/api/heartbeat-runs/${run.id}`);
        expect(after).toMatchObject({ status: 'succeeded', error: null, usage: { costCents: 7 } });
        expect(await thread(issue.id)).toEqual(['Seen: manual.']);
      } finally {
        server.kill();
        await ended;
      }
    },
  );

  it('receive only variables and wake fields that docs/agents/README.md lists', async () => {
    const agent = await harness.build.agent({ name: 'Ada' });
    const { companyId } = agent;
    const project = await harness.build.project({ companyId });
    const { id: issueId } = await harness.build.issue({ companyId, projectId: project.id });
    const received: string[] = [];
    harness.scripted.on(agent.id, ({ environment, wakes }) => {
      received.push(...Object.keys(environment), ...Object.keys(wakes[0] ?? {}));
      return { status: 'succeeded', exitCode: 0 };
    });
    await harness.build.queuedRun(agent.id, { issueId, payload: { n: 1 } });
    await harness.api.post(`/api/issues/${issueId}/comments`).send({ body: '@ada' }).expect(201);
    await harness.drain();
    expect(received).toContain('SERVICE_WAKE_COMMENT_IDS');
    expect(received).toContain('SERVICE_WAKE_SOURCE');
    expect(received).toContain('issueStatus');
    const text = page('README.md');
    expect(received.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
