import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { drain } from '@switchyard/orchestration/test/drain';
import { type Harness, startHarness } from '@switchyard/orchestration/test/harness';
import type { ScriptedStep, Step } from '@switchyard/orchestration/test/providers/provider-script';
import {
  PROVIDER_HOST,
  type ScriptedProvider,
  serveProvider,
} from '@switchyard/orchestration/test/providers/serve-provider';
import { sandboxBy } from '@switchyard/runner/test/confinements';
import { signedByAuthority } from '@switchyard/runner/test/self-signed';
import type { Driver } from '@switchyard/sandbox';
import type {
  AgentDetailView,
  CommentView,
  HeartbeatRunDetailView,
  HeartbeatRunView,
  IssueView,
} from '@switchyard/types';
import { installTool } from './install-tool';
import { recordTool, type ToolRecorder } from './record-tool';
import { OPERATORS_KEY, RESET_SEC, type RehearsedTool } from './tools';

const call = (method: string, path: string, body: string) =>
  `curl -sS -X ${method} "$SERVICE_API_URL/api${path}" -H "Authorization: Bearer $SERVICE_API_KEY" -H "Content-Type: application/json" -d ${body}`;
const ISSUE = '/issues/$SERVICE_ISSUE_ID';
const CHECKOUT = call(
  'POST',
  `${ISSUE}/checkout`,
  `"{\\"agentId\\":\\"$SERVICE_AGENT_ID\\",\\"expectedStatuses\\":[\\"todo\\"]}"`,
);

/**
 * The steps of one run: claims the issue, comments, and hands the issue in. At 3, 15, 0.3 and 3.75
 * dollars per million tokens, the run costs whole cents.
 */
export const WORK: Step[] = [
  {
    say: 'I claim the issue first.',
    shell: CHECKOUT,
    tokens: { input: 1_000, output: 200, cacheRead: 0, cacheWrite: 0 },
  },
  {
    shell: `${call('POST', `${ISSUE}/comments`, `'{"body":"It is **done**: I said hello."}'`)} && pwd > folder.txt`,
    tokens: { input: 100, output: 300, cacheRead: 20_000, cacheWrite: 0 },
  },
  {
    shell: `${call('PATCH', ISSUE, `'{"status":"in_review"}'`)} && ${call('PATCH', ISSUE, `'{"status":"done"}'`)}`,
    tokens: { input: 900, output: 100, cacheRead: 30_000, cacheWrite: 0 },
  },
  { say: 'I said hello.', tokens: { input: 0, output: 400, cacheRead: 10_000, cacheWrite: 0 } },
];
const WORK_TOKENS = { inputTokens: 62_000, outputTokens: 1_000 };
const NO_TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const AGAIN: Step[] = [
  { say: 'I remember it.', tokens: { input: 500, output: 100, cacheRead: 7_000, cacheWrite: 0 } },
];
const AGAIN_TOKENS = { inputTokens: 7_500, outputTokens: 100 };

const ANSWER_EACH: ScriptedStep = ({ body }) => {
  const answers: string[] = [];
  let path = '';
  for (const line of textsIn(body).flatMap((text) => text.split('\n'))) {
    path = /Answer with POST (\/issues\/[0-9a-f-]{36}\/comments)/.exec(line)?.[1] ?? path;
    const lost = /^ {2}"@\S+ where is the (\w+)\?"$/.exec(line)?.[1];
    if (lost) answers.push(call('POST', path, `'{"body":"I have the ${lost}."}'`));
  }
  return {
    shell: answers.join(' && '),
    tokens: { input: 1_000, output: 200, cacheRead: 0, cacheWrite: 0 },
  };
};

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsIn);
}

const CENTS: Record<string, { work: number; again: number }> = {
  'claude-sonnet-4-5': { work: 4, again: 1 },
  'anthropic/claude-sonnet-4-5': { work: 4, again: 1 },
  'gpt-5.5': { work: 7, again: 1 },
};

const SANDBOXES = (process.env.SANDBOX?.split(',') ??
  (process.platform === 'linux' ? ['bwrap', 'landlock'] : ['seatbelt'])) as Driver[];

export function rehearse(rehearsed: RehearsedTool): void {
  const drivers: Driver[] = process.env.RECORD ? ['off'] : SANDBOXES;
  describe.each(drivers)('under %s', (driver) => rehearseUnder(driver, rehearsed));
}

function rehearseUnder(driver: Driver, rehearsed: RehearsedTool): void {
  const { adapterType, model, failures, recording } = rehearsed;
  let harness: Harness;
  let provider: ScriptedProvider;
  let recorder: ToolRecorder;
  let home: string;
  let agent: AgentDetailView;

  beforeAll(async () => {
    const executable = await installTool(rehearsed.tool);
    home = await mkdtemp(join(tmpdir(), 'rehearsal-'));
    await mkdir(join(home, '.codex'));
    await mkdir(join(home, 'authority'));
    provider = await serveProvider(rehearsed.format, PROVIDER_HOST);
    recorder = await recordTool(executable, join(home, 'recorder'), [
      [/\/[^\s"'\\]*\/runs\/[0-9a-f-]{36}/g, '/srv/runs/1'],
      [/-[A-Za-z0-9-]*-runs-[0-9a-f-]{36}/g, '-srv-runs-1'],
      [home, '/srv/agent'],
      [tmpdir(), '/temporary'],
      [executable, rehearsed.tool],
      [new RegExp(`\\b${userInfo().username}\\b`, 'g'), 'agent'],
    ]);
    const tool = { command: driver === 'off' ? recorder.command : executable, configured: [] };
    harness = await startHarness({
      config: {
        inherited: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' },
        models: { claudeCode: tool, codex: tool, openCode: tool, prices: {} },
        sandbox: { ...sandboxBy(driver), readOnly: [join(home, 'authority')] },
      },
      context: { adapters: undefined },
    });
    agent = await harness.build.agent({
      adapterType,
      adapterConfig: { model, ...rehearsed.configure(provider.url), timeoutSec: 120 },
    });
  }, 660_000);
  afterAll(async () => {
    await harness?.close();
    await provider?.close();
    if (home) await rm(home, { recursive: true, force: true });
  });

  const work = () => {
    const allowedHosts = [new URL(provider.url).host];
    return drain(harness.context, { gateway: { allowedHosts, providers: {} } });
  };
  const beat = async (issueId: string, agentId = agent.id): Promise<HeartbeatRunView> => {
    const { id } = await harness.build.queuedRun(agentId, { issueId });
    await work();
    return (await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200)).body;
  };
  const logOf = async (run: HeartbeatRunView): Promise<string> =>
    (await harness.api.get(`/api/heartbeat-runs/${run.id}/log?limit=1048576`).expect(200)).body
      .content;
  const costsOf = async (run: HeartbeatRunView) =>
    harness.db.costEvent.findMany({ where: { runId: run.id } });
  const sessionOf = async (issueId: string) =>
    harness.db.agentSession.findFirstOrThrow({ where: { issueId } });
  const newIssue = () =>
    harness.build.issue({ companyId: agent.companyId, title: 'Say hello', status: 'todo' });

  it('finishes an issue, and the run stores the tokens and costs', async () => {
    const issue = await newIssue();
    provider.play(WORK);
    const run = await beat(issue.id);
    const log = await logOf(run);
    await recorder.keep(`${recording}-work`);
    expect({ status: run.status, error: run.error, log }).toMatchObject({ status: 'succeeded' });
    const { body: after } = await harness.api.get(`/api/issues/${issue.id}`).expect(200);
    expect({ ...after, log }).toMatchObject({ status: 'done', assigneeAgentId: agent.id });
    const { body: comments } = await harness.api.get(`/api/issues/${issue.id}/comments`);
    expect(comments).toMatchObject([
      { body: 'It is **done**: I said hello.', createdByRunId: run.id },
    ]);
    const cents = CENTS[model]?.work;
    expect(run.usage).toEqual({ ...WORK_TOKENS, costCents: cents, unpricedEvents: 0 });
    const events = await costsOf(run);
    expect(events.map((event) => Number(event.costCents))).toEqual([cents]);
    expect(log).toContain('I claim the issue first.');
    expect(log).toContain('$ ');
    if (driver !== 'off') expect(log).toContain(`[egress] ${new URL(provider.url).host}\n`);
    expect(log).not.toMatch(/eyJ[A-Za-z0-9_-]+\./);
    expect(JSON.stringify(provider.requests[0]?.body)).toContain('Say hello');

    const { directory, sessionId } = await sessionOf(issue.id);
    const again = { ...AGAIN_TOKENS, costCents: CENTS[model]?.again, unpricedEvents: 0 };
    for (const isFirst of [true, false]) {
      provider.play(AGAIN);
      const next = await beat(issue.id);
      if (isFirst) await recorder.keep(`${recording}-resumed`);
      expect({ ...next, log: await logOf(next) }).toMatchObject({ status: 'succeeded' });
      expect(JSON.stringify(provider.requests[0]?.body)).toContain('I claim the issue first.');
      expect(next.usage).toEqual(again);
      expect(await sessionOf(issue.id)).toMatchObject({ directory, sessionId });
    }

    await harness.db.agentSession.updateMany({
      where: { issueId: issue.id },
      data: { sessionId: rehearsed.unknownSession, counted: {} },
    });
    provider.play(AGAIN);
    const restarted = await beat(issue.id);
    await recorder.keep(`${recording}-unknown-session`, 1);
    expect({ ...restarted, log: await logOf(restarted) }).toMatchObject({ status: 'succeeded' });
    expect(await logOf(restarted)).toContain('starts a new conversation');
    expect(JSON.stringify(provider.requests)).not.toContain('I claim the issue first.');
    expect(restarted.usage).toEqual(again);
    expect((await sessionOf(issue.id)).sessionId).not.toBe(rehearsed.unknownSession);
  }, 300_000);

  it('replies to each of two mentions on the issue of the mention', async () => {
    const issues = [await newIssue(), await newIssue()] as [IssueView, IssueView];
    const busy = await harness.build.liveRun(agent);
    const handle = agent.name.replaceAll(' ', '-');
    for (const [at, lost] of ['key', 'door'].entries()) {
      const body = { body: `@${handle} where is the ${lost}?` };
      await harness.api.post(`/api/issues/${issues[at]?.id}/comments`).send(body).expect(201);
    }
    await work();
    await harness.build.endLiveRun(busy.id);
    provider.play([ANSWER_EACH, ...AGAIN]);
    await work();
    const { id } = await harness.db.heartbeatRun.findFirstOrThrow({
      where: { agentId: agent.id, source: 'mention' },
    });
    const { body } = await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200);
    const run = body as HeartbeatRunDetailView;
    expect({ status: run.status, log: await logOf(run) }).toMatchObject({ status: 'succeeded' });
    expect(run.wakes.map(({ issueId }) => issueId)).toEqual(issues.map((issue) => issue.id));
    for (const [at, lost] of ['key', 'door'].entries()) {
      const thread = await harness.api.get(`/api/issues/${issues[at]?.id}/comments`).expect(200);
      const texts = (thread.body as CommentView[]).map((comment) => comment.body).reverse();
      expect(texts).toEqual([`@${handle} where is the ${lost}?`, `I have the ${lost}.`]);
    }
  });

  it('uses the operator’s key without receiving the key', async () => {
    const keyless = await harness.build.agent({
      companyId: agent.companyId,
      adapterType,
      adapterConfig: { model, timeoutSec: 60 },
    });
    const issue = await newIssue();
    const { id } = await harness.build.queuedRun(keyless.id, { issueId: issue.id });
    provider.play([{ shell: 'env; echo "I looked."', tokens: NO_TOKENS }, ...AGAIN]);
    const providers = rehearsed.provided(provider.url);
    await drain(harness.context, { gateway: { allowedHosts: [], providers } });
    const run = (await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200)).body;
    const log = await logOf(run);
    const expected = { status: 'succeeded', usage: AGAIN_TOKENS };
    expect({ ...run, log }).toMatchObject(expected);
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('I looked.');
    for (const { headers } of provider.requests) {
      expect(headers['x-api-key'] ?? headers.authorization).toContain(OPERATORS_KEY);
    }
    const [name] = Object.keys(providers);
    expect(log).toContain(`[egress] ${new URL(provider.url).host} (provider ${name})\n`);
    expect(JSON.stringify([provider.requests.map(({ body }) => body), log])).not.toContain(
      OPERATORS_KEY,
    );
  });

  it('reaches an https provider with a private certificate authority through CONNECT', async () => {
    const tls = signedByAuthority('provider.test', PROVIDER_HOST);
    const authority = join(home, 'authority', 'ca.pem');
    await writeFile(authority, tls.authority);
    const secure = await serveProvider(rehearsed.format, PROVIDER_HOST, tls);
    try {
      const { env, ...more } = rehearsed.configure(secure.url);
      const trusting = { NODE_EXTRA_CA_CERTS: authority, SSL_CERT_FILE: authority };
      const other = await harness.build.agent({
        companyId: agent.companyId,
        adapterType,
        adapterConfig: { model, timeoutSec: 60, ...more, env: { ...env, ...trusting } },
      });
      const issue = await newIssue();
      const { id } = await harness.build.queuedRun(other.id, { issueId: issue.id });
      secure.play(AGAIN);
      const { host } = new URL(secure.url);
      await drain(harness.context, { gateway: { allowedHosts: [host], providers: {} } });
      const { body: run } = await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200);
      const log = await logOf(run);
      const expected = { status: 'succeeded', usage: AGAIN_TOKENS };
      expect({ ...run, log }).toMatchObject(expected);
      if (driver !== 'off') expect(log).toContain(`[egress] ${host}\n`);
    } finally {
      await secure.close();
    }
  });

  it.each(failures)(
    'reports $name as $errorCode',
    async (failure) => {
      const { name, step, errorCode, retries, configure } = failure;
      const adapterConfig = {
        model,
        timeoutSec: 60,
        ...(configure ?? rehearsed.configure)(provider.url),
      };
      const other = await harness.build.agent({
        companyId: agent.companyId,
        adapterType,
        adapterConfig,
      });
      const issue = await newIssue();
      provider.play([step()]);
      const started = Date.now();
      const run = await beat(issue.id, other.id);
      await recorder.keep(`${recording}-${name}`);
      const log = await logOf(run);
      expect({ ...run, log }).toMatchObject({ status: 'failed', errorCode });
      const retry = await harness.db.heartbeatRun.findFirst({ where: { retryOfRunId: run.id } });
      if (retries === 'no') expect(retry).toBeNull();
      else {
        const waits = (retry?.notBefore?.getTime() ?? 0) - started;
        if (retries === 'soon') expect(waits).toBeLessThan(120_000);
        else {
          expect(waits).toBeGreaterThan((RESET_SEC - 120) * 1_000);
          expect(waits).toBeLessThan((RESET_SEC + 240) * 1_000);
        }
      }
    },
    120_000,
  );
}
