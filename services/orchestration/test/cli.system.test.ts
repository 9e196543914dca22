import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { useAuthenticatedHarness } from './authenticated-harness';
import { useHarness } from './harness';
import { startTestRunner, startWorkers } from './runner';

const ROOT = join(__dirname, '../../..');
const PROGRAM = join(ROOT, 'packages/cli/dist/bin/switchyard.js');
const EXAMPLE = join(ROOT, 'examples/agent.mjs');

interface Ended {
  code: number;
  out: string;
  err: string;
}

describe('the switchyard command', () => {
  const home = mkdtempSync(join(tmpdir(), 'switchyard-cli-'));
  const environment = (env: Record<string, string>) => ({
    PATH: process.env.PATH ?? '',
    XDG_CONFIG_HOME: home,
    ...env,
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const run = (
    env: Record<string, string>,
    args: string[],
    input?: string,
    onNote: (text: string) => void = () => undefined,
  ) =>
    new Promise<Ended>((resolve) => {
      const options = { env: environment(env) };
      const child = execFile(process.execPath, [PROGRAM, ...args], options, (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, err });
      });
      child.stderr?.on('data', (text) => onNote(String(text)));
      child.stdin?.end(input ?? '');
    });

  describe('in local mode', () => {
    const harness = useHarness();
    const cli = (...args: string[]) => run({ SWITCHYARD_URL: harness.url }, args);
    const printed = async (...args: string[]) => {
      const { code, out, err } = await cli(...args);
      expect({ code, err }).toMatchObject({ code: 0 });
      return out;
    };
    const json = async (...args: string[]) => JSON.parse(await printed('--json', ...args));

    it('runs the commands of the README, from creating a company to showing the run’s log', async () => {
      const workers = startWorkers(harness.context);
      const runner = await startTestRunner(harness.context);
      try {
        const { issuePrefix } = await json(
          'company',
          'create',
          'Story of the README',
          '--budget',
          '12.50',
        );
        const of = ['--company', issuePrefix];
        const config = JSON.stringify({ command: process.execPath, args: [EXAMPLE] });
        await printed(...of, 'agent', 'create', 'Ada', '--adapter', 'process', '--config', config);
        const done = await json(...of, 'issue', 'create', 'Write it', '--assign', 'ada', '--wait');
        expect(done).toMatchObject({ identifier: `${issuePrefix}-1`, status: 'done' });
        const [first] = await json(...of, 'run', 'list', '--agent', 'Ada');
        expect(await printed('run', 'log', first.id, '--follow')).toMatch(
          /^I am Ada.*\nHanded in\.\n/s,
        );
        expect(await printed('run', 'log', first.id)).toContain('Handed in.\n');
        expect(await printed('run', 'show', first.id)).toMatch(/^status +succeeded$/m);
        expect(await printed(...of, 'agent', 'invoke', 'Ada', '--follow')).toContain('I am Ada');
        expect(await printed(...of, 'issue', 'list')).toMatch(/-1 +done +medium +Ada +Write it$/m);
        expect(await json('issue', 'show', done.identifier)).toMatchObject({
          comments: [{ body: expect.stringContaining('Hello!') }],
        });
      } finally {
        await runner.close();
        await workers.close({ handOverAfterMs: 0 });
      }
    });

    it('runs the board’s commands: inbox, approve, answer, comment, update and pause', async () => {
      const { id: asking, agent, authorization } = await harness.build.liveRun();
      const company = ['--company', agent.companyId];
      const ask = async (type: string, payload: object) => {
        const request = harness.api.post(`/api/companies/${agent.companyId}/approvals`);
        const sent = request.set('authorization', authorization).send({ type, payload });
        const { body } = await sent.expect(201);
        return body.id as string;
      };
      const question = await ask('board_question', {
        title: 'Ship it?',
        options: [
          { key: 'yes', label: 'Ship' },
          { key: 'no', label: 'Wait' },
        ],
      });
      const strategy = await ask('approve_ceo_strategy', { title: 'Grow', plan: 'Slowly' });
      expect(await printed(...company, 'inbox')).toEqual(expect.stringContaining(question));
      expect(await printed('approval', question)).toContain('Ship it?');
      expect(await json('answer', question, 'go on', '--option', 'yes')).toMatchObject({
        decision: { option: 'yes', note: 'go on' },
      });
      expect(await json('approve', strategy, '--note', 'fine')).toMatchObject({
        status: 'approved',
      });
      expect((await cli('reject', strategy)).code).toBe(3);
      const issue = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
      await printed('issue', 'comment', issue.identifier, 'Any news?');
      const changed = await json('issue', 'update', issue.identifier, '--priority', 'high');
      expect(changed).toMatchObject({ priority: 'high', title: issue.title });
      expect(await json(...company, 'agent', 'pause', agent.name)).toMatchObject({
        status: 'paused',
      });
      expect(await printed('why', asking)).toMatch(/^status +running$/m);
    });

    it('runs an external agent locally, prints why its run waits, and replays the run', async () => {
      const agent = await harness.build.agent({ adapterType: 'external', adapterConfig: {} });
      const of = ['--company', agent.companyId];
      const issue = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
      const queued = await harness.build.queuedRun(agent.id, { issueId: issue.id });
      expect(await json('why', queued.id)).toMatchObject({ waitsFor: 'agent_fetch' });
      expect(await printed('why', issue.identifier)).toContain('has not fetched the run yet');
      const dev = [...of, 'agent', 'dev', agent.name, '--once', '--', process.execPath, EXAMPLE];
      expect(await printed(...dev)).toContain(`I claimed ${issue.identifier}`);
      expect(await json('run', 'show', queued.id)).toMatchObject({
        status: 'succeeded',
        usage: { costCents: 7 },
      });
      const variables = ['SOURCE', 'REASON', 'COMMENT_IDS'].map((name) => `SERVICE_WAKE_${name}`);
      const comment = `/api/issues/${issue.id}/comments`;
      const { body: first } = await harness.api.post(`/api/agents/${agent.id}/heartbeat/invoke`);
      const { body: said } = await harness.api.post(comment).send({ body: `@${agent.name} look` });
      await harness.drain();
      const shown = ['sh', '-c', `echo "${variables.map((name) => `$${name}`).join(' ')}"`];
      expect(await printed(...of, 'agent', 'dev', agent.id, '--once', '--', ...shown)).toBe(
        `mention mention ${said.id}\n`,
      );
      expect(await json('run', 'show', first.id)).toMatchObject({ status: 'succeeded' });
      const failing = [
        '--',
        'sh',
        '-c',
        'echo "$SERVICE_WAKES"; env | grep ^SWITCHYARD; sleep 600 & exit 3',
      ];
      expect(await cli('agent', 'replay', queued.id, ...failing)).toMatchObject({
        code: 1,
        out: expect.stringMatching(new RegExp(`^\\[.*${issue.id}.*\\]\n$`)),
      });
      const [latest] = await json(...of, 'run', 'list');
      expect(latest).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('ended with 3'),
      });
      const keys = await harness.api.get(`/api/agents/${agent.id}/keys`).expect(200);
      expect(keys.body.filter((key: { revokedAt: unknown }) => !key.revokedAt)).toEqual([]);
    });

    it('sets, pauses, resumes and deletes a limit, and prints the limit that a run waits for', async () => {
      const agent = await harness.build.agent({ limitKeys: ['deploy'] });
      const of = ['--company', agent.companyId];
      const queued = await harness.build.queuedRun(agent.id);
      await printed(...of, 'limit', 'set', 'deploy', '2');
      const paused = await json(...of, 'limit', 'pause', 'deploy');
      expect(paused).toMatchObject({ key: 'deploy', maxRunning: 2, isPaused: true });
      expect(await printed(...of, 'limit', 'list')).toMatch(/deploy +0 of 2 +paused/);
      const why = await printed('why', queued.id);
      expect(why).toMatch(/^waitsFor +limit$/m);
      expect(why).toMatch(/^limit +deploy \(paused\)$/m);
      await printed(...of, 'limit', 'resume', 'deploy');
      expect(await json(...of, 'limit', 'set', 'deploy', '3')).toMatchObject({ maxRunning: 3 });
      expect(await printed('why', queued.id)).not.toMatch(/^limit/m);
      await printed(...of, 'limit', 'delete', 'deploy');
      expect((await cli(...of, 'limit', 'pause', 'deploy')).err).toContain('has no limit');
    });

    it.each([
      ['dev', (_run: string, agent: string) => ['dev', agent, '--once', '--', 'true']],
      ['replay', (run: string) => ['replay', run, '--', 'true']],
      ['invoke', (_run: string, agent: string) => ['invoke', agent]],
    ])(
      'refuses the command agent %s for an agent outside the company of --company',
      async (_verb, args) => {
        const company = await harness.build.company();
        const agent = await harness.build.agent({ adapterType: 'external', adapterConfig: {} });
        const { id: runId } = await harness.build.queuedRun(agent.id);
        const command = args(runId, agent.id);
        expect(await cli('--company', company.issuePrefix, 'agent', ...command)).toEqual({
          ...{ code: 2, out: '' },
          err: expect.stringContaining(
            `${agent.id} must belong to the company that --company names`,
          ),
        });
        expect(await json('run', 'show', runId)).toMatchObject({ status: 'queued' });
        expect((await harness.api.get(`/api/agents/${agent.id}/keys`).expect(200)).body).toEqual(
          [],
        );
        const own = ['--company', agent.companyId, 'agent', 'dev', agent.id, '--once'];
        await printed(...own, '--', 'true');
      },
    );

    it('serves the tools by MCP on standard input and output', async () => {
      const client = new Client({ name: 'tests', version: '1' });
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [PROGRAM, 'mcp'],
        env: environment({ SWITCHYARD_URL: harness.url }),
      });
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('needs_me');
      expect(await client.callTool({ name: 'find', arguments: {} })).toMatchObject({
        isError: true,
      });
      await client.close();
    });

    it('warns that a login without TLS sends the token unencrypted, except to this machine', async () => {
      const login = (url: string) => run({}, ['--url', url, 'login'], '\n');
      const warning = 'http://192.0.2.1 is not encrypted';
      expect((await login('http://192.0.2.1')).err).toContain(warning);
      for (const url of [
        'https://192.0.2.1',
        'http://localhost:1',
        'http://[::1]:1',
        harness.url,
      ]) {
        const { err } = await login(url);
        expect(err).toContain('No token was entered');
        expect(err).not.toContain('not encrypted');
      }
    });

    it('prints the wake of a new issue or comment, and the run that the wake joins', async () => {
      const agent = await harness.build.agent({ wakeOnAssignment: true });
      const of = ['--company', agent.companyId];
      const create = ['issue', 'create', 'Look', '--assign', agent.name];
      const made = await printed(...of, ...create);
      const wakeupId = /^wake +(\S+)$/m.exec(made)?.[1];
      expect(made).not.toMatch(/^run /m);
      await harness.drain();
      const runs = `/api/companies/${agent.companyId}/heartbeat-runs`;
      const { body } = await harness.api.get(runs).query({ wakeupId }).expect(200);
      expect(body).toHaveLength(1);
      const waiting = await harness.build.queuedRun(agent.id);
      expect(await printed(...of, ...create)).toMatch(new RegExp(`^run +${waiting.id}$`, 'm'));
      const [issue] = await json(...of, 'issue', 'list');
      const said = ['issue', 'comment', issue.identifier, `@${agent.name} please`];
      expect(await printed(...said)).toMatch(new RegExp(`^run +${waiting.id}$`, 'm'));
    });

    it.each([
      ['an unknown command', ['issue', 'lisst'], 2, 'Did you mean list?'],
      ['an unknown agent', ['agent', 'invoke', 'Nobody'], 2, 'The agent "Nobody" was not found.'],
      ['an unknown issue', ['issue', 'show', 'NONE-1'], 3, '404'],
      ['an empty title', ['issue', 'create', ' '], 3, 'title: must not be empty'],
      ['an unreadable amount', ['company', 'create', 'x', '--budget', '1,50'], 2, '12.50'],
      ['an unreadable address', ['--url', 'ftp://x', 'inbox'], 2, 'must be an address'],
      ['an unreachable service', ['--url', 'http://127.0.0.1:1', 'inbox'], 4, 'cannot be reached'],
    ])(
      'prints the error for %s, and exits with the matching code',
      async (_name, args, code, text) => {
        const { id } = await harness.build.company();
        expect(await cli('--company', id, ...args)).toEqual({
          ...{ code, out: '' },
          err: expect.stringContaining(text),
        });
      },
    );

    it('prints no escape sequences from the titles of issues', async () => {
      const title = 'Careful \u009b2J\u009b31m';
      const issue = await harness.build.issue({ title, status: 'todo' });
      expect(await printed('--company', issue.companyId, 'issue', 'list')).toMatch(
        /Careful 2J31m\n$/,
      );
    });

    it('inside a run, uses the variables of the run, and refuses to send the run token to an address other than SERVICE_API_URL', async () => {
      const { id, agent, authorization } = await harness.build.liveRun();
      const given = {
        SERVICE_API_URL: harness.url,
        SERVICE_API_KEY: authorization.replace('Bearer ', ''),
        SERVICE_COMPANY_ID: agent.companyId,
        SWITCHYARD_URL: 'http://127.0.0.1:1',
      };
      const shown = await run(given, ['--json', 'run', 'show', id]);
      expect(JSON.parse(shown.out)).toMatchObject({ id, status: 'running' });
      expect((await run(given, ['agent', 'pause', agent.name])).err).toMatch(/^403 /);
      expect(await run(given, ['--url', 'http://127.0.0.1:1', 'inbox'])).toMatchObject({ code: 2 });
    });

    it.each(['bash', 'zsh', 'fish'])('completes commands in %s', async (shell) => {
      expect(await printed('complete', shell)).toContain('switchyard');
      expect(await printed('complete', '--', 'issue', 'cr')).toContain('create');
    });
  });

  describe('in authenticated mode', () => {
    const harness = useAuthenticatedHarness({ config: { companyFounders: 'everybody' } });

    async function startUnreliableProxy() {
      const faults = [429, 500, 503, null];
      const server = createServer(async ({ url = '', method = '', headers }, response) => {
        const fault = url === '/api/auth/session' ? faults.shift() : undefined;
        if (fault === null) return void response.destroy();
        if (fault !== undefined) return void response.writeHead(fault).end();
        const { authorization = '' } = headers;
        const answer = await fetch(harness.url + url, { method, headers: { authorization } });
        const text = (await answer.text()).replace('"intervalSec":5', '"intervalSec":0.1');
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      return { faults, url: `http://127.0.0.1:${port}`, close: () => server.close() };
    }

    it('signs in with a code that a person enters in the console, even if some polls fail', async () => {
      const person = await harness.operator();
      const proxy = await startUnreliableProxy();
      const at = { SWITCHYARD_URL: proxy.url };
      const approve = async (text: string) => {
        const [userCode] = /[A-Z]{4}-[A-Z]{4}/.exec(text) ?? [];
        const body = { name: 'laptop', scope: 'write', userCode };
        await harness.as(person).post('/api/auth/tokens').send(body).expect(201);
      };
      const approving: Promise<void>[] = [];
      const login = await run(at, ['login', '--device'], '', (text) => {
        if (text.includes('for the code')) approving.push(approve(text));
      });
      await Promise.all(approving);
      expect(login).toMatchObject({ code: 0, out: expect.stringContaining('Signed in') });
      expect(await run(at, ['company', 'list'])).toMatchObject({ code: 0 });
      expect(proxy.faults).toEqual([]);
      await run(at, ['logout']);
      proxy.close();
    });

    it('stores a token in a file that only its owner can read, and sends the token to no other address', async () => {
      const { body } = await harness
        .as(await harness.operator())
        .post('/api/auth/tokens')
        .send({ name: 'cli', scope: 'read' })
        .expect(201);
      const at = { SWITCHYARD_URL: harness.url };
      expect(await run(at, ['inbox'])).toMatchObject({
        code: 3,
        err: expect.stringContaining('login'),
      });
      expect(await run(at, ['login'], 'wrong\n')).toMatchObject({ code: 3 });
      expect(await run(at, ['login'], `${body.token}\n`)).toMatchObject({ code: 0 });
      const file = join(home, 'switchyard/settings.json');
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, 'utf8')).toContain(body.token);
      expect(await run(at, ['company', 'list'])).toMatchObject({ code: 0 });
      expect(await run({}, ['company', 'create', 'Mine'])).toMatchObject({
        code: 3,
        err: expect.stringContaining('403'),
      });
      const other = harness.url.replace('127.0.0.1', 'localhost');
      expect(await run({}, ['--url', other, 'company', 'list'])).toMatchObject({
        code: 3,
        err: expect.stringContaining('401'),
      });
      await run(at, ['logout']);
      expect(await run(at, ['company', 'list'])).toMatchObject({ code: 3 });
      writeFileSync(file, '{');
      expect(await run(at, ['company', 'list'])).toMatchObject({ code: 2 });
    });
  });
});
