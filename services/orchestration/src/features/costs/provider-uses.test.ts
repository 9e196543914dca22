import type { UsageReport } from '@switchyard/runner/agents/agent-adapter';
import { reportConversation } from '@switchyard/runner/execute/report-conversation';
import { createTextMask } from '@switchyard/runner/masking/output-masking';
import { openRunProtocol } from '@switchyard/runner/protocol/run-protocol';
import { RUNNER_TOKEN, serveStandIn } from '@switchyard/runner/test/stand-in-server';
import { silentLogger } from '@switchyard/server';
import type { HeartbeatRunView } from '@switchyard/types';
import { drain } from '../../../test/drain';
import { useHarness } from '../../../test/harness';
import { ANTHROPIC_MESSAGES } from '../../../test/providers/anthropic-messages';
import { PROVIDER_HOST, serveProvider } from '../../../test/providers/serve-provider';

const AGENT = `
  const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env;
  const body = JSON.stringify({ model: 'claude-sonnet-4-5', tools: [{ name: 'bash' }] });
  const ask = () => fetch(url + '/v1/messages', {
    method: 'POST', body, headers: { 'x-api-key': key, 'content-type': 'application/json' },
  }).then((answer) => answer.text());
  const usage = { provider: 'anthropic', model: 'claude-sonnet-4-5', inputTokens: 7, outputTokens: 8, costCents: 9 };
  (async () => {
    const answers = [await ask(), await ask()];
    if (process.argv[1] === 'prints') console.log(answers.join(''));
    if (process.argv[1] === 'tells') console.log(JSON.stringify({ type: 'usage', ...usage }));
  })();`;
const TOKENS = { input: 5_000, output: 1_000, cacheRead: 10_000, cacheWrite: 4_000 };

const SPENDER = `
  const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env;
  const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 1000, tools: [{ name: 'bash' }] });
  const nothing = { provider: 'anthropic', model: 'claude-sonnet-4-5', inputTokens: 1, outputTokens: 0, costCents: 0 };
  const lie = () => process.argv[1] === 'lies' && console.log(JSON.stringify({ type: 'usage', ...nothing }));
  const ask = async () => {
    const answer = await fetch(url + '/v1/messages', {
      method: 'POST', body, headers: { 'x-api-key': key, 'content-type': 'application/json' },
    });
    console.log('status ' + answer.status, await answer.text());
    lie();
  };
  (async () => {
    lie();
    for (let n = 0; n < 3; n++) await ask();
  })();`;
const DEAR = { input: 5_000_000, output: 1_000_000, cacheRead: 0, cacheWrite: 0 };

describe('metered provider calls of a run', () => {
  const harness = useHarness();

  const run = async (what: string): Promise<HeartbeatRunView> => {
    const provider = await serveProvider(ANTHROPIC_MESSAGES, PROVIDER_HOST);
    try {
      provider.play([
        { say: 'the key is of-the-operator', tokens: TOKENS },
        { say: 'two', tokens: TOKENS },
      ]);
      const adapterConfig = { command: process.execPath, args: ['-e', AGENT, what] };
      const agent = await harness.build.agent({ adapterType: 'process', adapterConfig });
      const { id } = await harness.build.queuedRun(agent.id);
      const anthropic = { baseUrl: provider.url, header: 'x-api-key', value: 'of-the-operator' };
      await drain(harness.context, { gateway: { allowedHosts: [], providers: { anthropic } } });
      return (await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200)).body;
    } finally {
      await provider.close();
    }
  };

  it('count once each if the program reports no usage', async () => {
    const ended = await run('silent');
    expect(ended).toMatchObject({
      status: 'succeeded',
      usage: { inputTokens: 38_000, outputTokens: 2_000, costCents: 10, unpricedEvents: 0 },
    });
    const { provider, model } = await harness.db.costEvent.findFirstOrThrow({
      where: { runId: ended.id },
    });
    expect({ provider, model }).toEqual({ provider: 'anthropic', model: 'claude-sonnet-4-5' });
  });

  it('count only at the gateway if the program reports its own usage', async () => {
    expect(await run('tells')).toMatchObject({
      status: 'succeeded',
      usage: { inputTokens: 38_000, outputTokens: 2_000, costCents: 10, unpricedEvents: 0 },
    });
  });

  const spend = async (what: 'honest' | 'lies', scope: 'agents' | 'companies') => {
    const provider = await serveProvider(ANTHROPIC_MESSAGES, PROVIDER_HOST);
    try {
      provider.play(Array.from({ length: 3 }, () => ({ say: 'one', tokens: DEAR })));
      const { api, build, context, db } = harness;
      const adapterConfig = { command: process.execPath, args: ['-e', SPENDER, what] };
      const agent = await build.agent({ adapterType: 'process', adapterConfig });
      const limited = scope === 'agents' ? agent.id : agent.companyId;
      await api.patch(`/api/${scope}/${limited}`).send({ budgetMonthlyCents: 100 }).expect(200);
      const { id } = await build.queuedRun(agent.id);
      const anthropic = { baseUrl: provider.url, header: 'x-api-key', value: 'of-the-operator' };
      await drain(context, { gateway: { allowedHosts: [], providers: { anthropic } } });
      const events = await db.costEvent.findMany({ where: { runId: id, source: 'gateway' } });
      const { body } = await api.get(`/api/agents/${agent.id}`).expect(200);
      const log = await api.get(`/api/heartbeat-runs/${id}/log`).expect(200);
      return {
        booked: events.map(({ costCents }) => Number(costCents)),
        calls: provider.requests.length,
        spentCents: body.spentMonthlyCents,
        pauseReason: body.pauseReason,
        refusals: log.body.content.match(/^status 402 .*$/gm) ?? [],
      };
    } finally {
      await provider.close();
    }
  };

  const askOnce = async (budgetMonthlyCents: number, program: string) => {
    const provider = await serveProvider(ANTHROPIC_MESSAGES, PROVIDER_HOST);
    try {
      provider.play([{ say: 'one', tokens: TOKENS }]);
      const { api, build, context } = harness;
      const args = ['-e', program.replace('n < 3', 'n < 1'), 'honest'];
      const adapterConfig = { command: process.execPath, args };
      const agent = await build.agent({ adapterType: 'process', adapterConfig });
      await api.patch(`/api/agents/${agent.id}`).send({ budgetMonthlyCents }).expect(200);
      const { id } = await build.queuedRun(agent.id);
      const anthropic = { baseUrl: provider.url, header: 'x-api-key', value: 'of-the-operator' };
      await drain(context, { gateway: { allowedHosts: [], providers: { anthropic } } });
      const log = await api.get(`/api/heartbeat-runs/${id}/log`).expect(200);
      return { calls: provider.requests.length, answers: log.body.content.match(/^status .*$/gm) };
    } finally {
      await provider.close();
    }
  };

  it('fail with 402 for a model without a price, but only while the agent has a budget', async () => {
    const program = SPENDER.replaceAll('claude-sonnet-4-5', 'house-model');
    const { calls, answers } = await askOnce(100, program);
    expect(calls).toBe(0);
    expect(answers).toEqual([expect.stringMatching(/^status 402 .*unpriced_model.*MODEL_PRICES/)]);
    const free = await askOnce(0, program);
    expect([free.calls, free.answers]).toEqual([1, [expect.stringMatching(/^status 200 /)]]);
  });

  it('fail with 402 that names the reserved output if the request sets no output limit', async () => {
    const program = SPENDER.replace('max_tokens: 1000, ', '');
    const { calls, answers } = await askOnce(100, program);
    expect(calls).toBe(0);
    expect(answers).toEqual([expect.stringMatching(/agent_budget.*no output limit.*128,000/)]);
  });

  it.each(['honest', 'lies'] as const)(
    'count against the budget before the next call, which fails if the budget is spent (agent: %s)',
    async (what) => {
      const { refusals: _, ...spent } = await spend(what, 'agents');
      expect(spent).toEqual({
        booked: [3_000],
        calls: 1,
        spentCents: 3_000,
        pauseReason: 'budget',
      });
    },
  );

  it('fail with 402 when the company’s budget is spent, but the run continues', async () => {
    const { refusals, ...spent } = await spend('honest', 'companies');
    expect(spent).toEqual({ booked: [3_000], calls: 1, spentCents: 3_000, pauseReason: null });
    expect(refusals).toHaveLength(2);
    expect(JSON.parse(refusals[0]?.slice('status 402 '.length) ?? '')).toEqual({
      type: 'error',
      error: {
        type: 'billing_error',
        code: 'company_budget',
        message: expect.stringContaining('budget of 100 cents is spent'),
        param: null,
      },
    });
  });

  it('leave no key in the log, even if the provider returns the key', async () => {
    const { id } = await run('prints');
    const { text } = await harness.api.get(`/api/heartbeat-runs/${id}/log`).expect(200);
    expect(text).toContain('the key is ***');
    expect(text).not.toContain('of-the-operator');
  });
});

const USE: UsageReport = {
  provider: 'p',
  model: 'm',
  inputTokens: 1,
  outputTokens: 2,
  costCents: 3,
};

it('reportConversation() sends later usage after the server rejected a report', async () => {
  const server = await serveStandIn();
  const protocol = openRunProtocol(server.url, RUNNER_TOKEN);
  const run = server.offer({ config: {} });
  const conversation = reportConversation(
    { claim: run.assignment, isLost: new AbortController().signal },
    {
      protocol,
      logger: silentLogger,
      mask: createTextMask([]),
      session: null,
      directory: '/tmp',
    },
  );
  conversation.onUsage(USE);
  conversation.onUsage({ ...USE, inputTokens: 1e13 });
  conversation.onUsage({ ...USE, model: ' ' });
  conversation.onUsage({ ...USE, costCents: 4 });
  await conversation.stored();
  protocol.close();
  await server.close();
  expect(run.usage).toMatchObject([
    { seq: 1, usage: { costCents: 3 } },
    { seq: 2, usage: { model: 'unknown', costCents: 3 } },
    { seq: 3, usage: { costCents: 4 } },
  ]);
});
