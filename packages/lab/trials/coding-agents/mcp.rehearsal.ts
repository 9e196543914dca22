import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drain } from '@switchyard/orchestration/test/drain';
import { type Harness, startHarness } from '@switchyard/orchestration/test/harness';
import type { Step } from '@switchyard/orchestration/test/providers/provider-script';
import {
  PROVIDER_HOST,
  type ScriptedProvider,
  serveProvider,
} from '@switchyard/orchestration/test/providers/serve-provider';
import { sandboxBy } from '@switchyard/runner/test/confinements';
import type { AgentDetailView } from '@switchyard/types';
import { installTool } from './install-tool';
import { CLAUDE, CODEX, OPENCODE, type RehearsedTool } from './tools';

const ROUNDS = Number(process.env.ROUNDS ?? 20);

const TOKENS = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };
const use = (tool: string, input: object): Step => ({ use: { tool, input }, tokens: TOKENS });

type Config = ReturnType<RehearsedTool['configure']>;

const WITHOUT_SHELL: Record<string, (config: Config) => Config> = {
  claude: (config) => ({ ...config, extraArgs: ['--disallowedTools=Bash'] }),
  codex: ({ extraArgs = [], ...config }) => ({
    ...config,
    extraArgs: [...extraArgs, '-c', 'features.shell_tool=false'],
  }),
  opencode: ({ env = {} }) => {
    const { OPENCODE_CONFIG_CONTENT: own = '{}' } = env;
    const config = { ...JSON.parse(own), permission: { bash: 'deny' } };
    return { env: { ...env, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } };
  },
};

describe.each([CLAUDE, CODEX, OPENCODE])('$tool without a shell', (rehearsed) => {
  let harness: Harness;
  let provider: ScriptedProvider;
  let home: string;
  let agent: AgentDetailView;

  beforeAll(async () => {
    const command = await installTool(rehearsed.tool);
    home = await mkdtemp(join(tmpdir(), 'rehearsal-'));
    await mkdir(join(home, '.codex'));
    provider = await serveProvider(rehearsed.format, PROVIDER_HOST);
    const tool = { command, configured: [] };
    harness = await startHarness({
      config: {
        inherited: { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' },
        models: { claudeCode: tool, codex: tool, openCode: tool, prices: {} },
        sandbox: sandboxBy('bwrap'),
      },
      context: { adapters: undefined },
    });
    const config = WITHOUT_SHELL[rehearsed.tool]?.(rehearsed.configure(provider.url));
    agent = await harness.build.agent({
      adapterType: rehearsed.adapterType,
      adapterConfig: { model: rehearsed.model, ...config, timeoutSec: 120 },
    });
  });
  afterAll(async () => {
    await harness?.close();
    await provider?.close();
    if (home) await rm(home, { recursive: true, force: true });
  });

  it(`finishes ${ROUNDS} of ${ROUNDS} issues with the tools at /mcp`, async () => {
    const { companyId } = agent;
    const allowedHosts = [new URL(provider.url).host];
    const colleague = await harness.build.agent({ companyId, adapterType: 'external' });
    const handle = colleague.name.replaceAll(' ', '-');
    for (let round = 1; round <= ROUNDS; round++) {
      const { id, identifier: issue } = await harness.build.issue({
        companyId,
        title: 'Say hello',
        status: 'todo',
      });
      provider.play([
        use('my_work', {}),
        use('claim', { issue }),
        use('read', { issue }),
        use('comment', { issue, text: `I said hello. @${handle} please review` }),
        use('ask_board', { question: 'Was it loud enough?', issue }),
        use('hand_in', { issue, status: 'in_review' }),
        use('hand_in', { issue, status: 'done', comment: 'Done.' }),
        { say: 'I said hello.', tokens: TOKENS },
      ]);
      const run = await harness.build.queuedRun(agent.id, { issueId: id });
      await drain(harness.context, { gateway: { allowedHosts, providers: {} } });
      const { body: ended } = await harness.api.get(`/api/heartbeat-runs/${run.id}`).expect(200);
      const log = await harness.api.get(`/api/heartbeat-runs/${run.id}/log?limit=1048576`);
      const seen = { round, status: ended.status, log: log.body.content };
      expect(seen).toMatchObject({ status: 'succeeded' });
      expect(seen.log).not.toMatch(/eyJ[A-Za-z0-9_-]+\./);
      const { body: after } = await harness.api.get(`/api/issues/${id}`).expect(200);
      expect({ ...seen, status: after.status }).toMatchObject({ status: 'done' });
      const { body: comments } = await harness.api.get(`/api/issues/${id}/comments?order=asc`);
      expect(comments).toMatchObject([
        { createdByRunId: run.id, mentions: [{ agentId: colleague.id }] },
        { body: 'Done.' },
      ]);
      const { body: asked } = await harness.api.get(`/api/issues/${id}/approvals`).expect(200);
      expect(asked).toMatchObject([{ type: 'board_question', requestedByAgentId: agent.id }]);
      expect(provider.requests).toHaveLength(8);
      for (const { body } of provider.requests) {
        expect(rehearsed.format.shellCall(body, '')).toBeNull();
      }
    }
  });
});
