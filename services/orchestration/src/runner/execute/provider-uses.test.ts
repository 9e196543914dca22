import { silentLogger } from '@switchyard/server';
import type { HeartbeatRunView } from '@switchyard/types';
import { drain } from '../../../test/drain';
import { useHarness } from '../../../test/harness';
import { ANTHROPIC_MESSAGES } from '../../../test/providers/anthropic-messages';
import { PROVIDER_HOST, serveProvider } from '../../../test/providers/serve-provider';
import { RUNNER_TOKEN, serveStandIn } from '../../../test/stand-in-server';
import type { UsageReport } from '../../adapters/agents/agent-adapter';
import { createTextMask } from '../../adapters/output-masking';
import { openRunProtocol } from '../protocol/run-protocol';
import { reportConversation } from './report-conversation';

/** Asks the model twice, and says what it used when it is told to. */
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
/** 4.8 cents at the list price, for each. */
const TOKENS = { input: 5_000, output: 1_000, cacheRead: 10_000, cacheWrite: 4_000 };

describe('what a run used of a provider of the gateway', () => {
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

  it('is counted by the gateway where the program says nothing, once', async () => {
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

  it('is what the gateway counted, whatever the program says', async () => {
    expect(await run('tells')).toMatchObject({
      status: 'succeeded',
      usage: { inputTokens: 38_000, outputTokens: 2_000, costCents: 10, unpricedEvents: 0 },
    });
  });

  it('leaves no key in the log, though the provider sends it back', async () => {
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

it('a use that the server refuses costs none of those after it', async () => {
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
