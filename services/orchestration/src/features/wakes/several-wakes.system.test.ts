import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCodingAgents } from '@switchyard/runner/agents/coding-agents/coding-agents';
import { CONFINEMENTS } from '@switchyard/runner/test/confinements';
import { createStandIn } from '@switchyard/runner/test/stand-in-tool';
import type {
  AgentDetailView,
  CommentView,
  CreateAgentBody,
  HeartbeatRunDetailView,
  IssueView,
} from '@switchyard/types';
import { ANSWER_EACH_WAKE } from '../../../test/agent-programs';
import { useHarness } from '../../../test/harness';
import { createAdapterRegistry } from '../../adapters/agents/adapter-registry';

const ANSWER_BY_PROMPT = `
  let path = null;
  for (const line of input.split('\\n')) {
    const where = /POST (\\/issues\\/[^/ ]+\\/comments)/.exec(line);
    if (where && !line.startsWith('POST')) path = where[1];
    const asked = /^  "(@\\S+ .*)"$/.exec(line);
    if (!asked || !path) continue;
    await fetch(process.env.SERVICE_API_URL + '/api' + path, {
      method: 'POST',
      headers: {
        authorization: 'Bearer ' + process.env.SERVICE_API_KEY,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ body: 'answer to: ' + asked[1].slice(1) }),
    });
  }`;

describe('a run that serves two wakes', () => {
  const harness = useHarness();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-wakes-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const say = async (issue: IssueView, body: string) =>
    (await harness.api.post(`/api/issues/${issue.id}/comments`).send({ body }).expect(201))
      .body as CommentView;
  const thread = async ({ id }: IssueView) => {
    const { body } = await harness.api.get(`/api/issues/${id}/comments`).expect(200);
    return (body as CommentView[]).map((comment) => comment.body).reverse();
  };
  const runsOf = ({ id: agentId }: AgentDetailView) =>
    harness.db.heartbeatRun.findMany({ where: { agentId }, orderBy: { createdAt: 'asc' } });
  const read = async (runId: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${runId}`).expect(200))
      .body as HeartbeatRunDetailView;

  const whileBusy = async (agent: AgentDetailView, cause: () => Promise<unknown>) => {
    const busy = await harness.build.liveRun(agent);
    await cause();
    await harness.drain();
    await harness.build.endLiveRun(busy.id);
    await harness.drain();
    const [, run, ...more] = await runsOf(agent);
    expect(more).toEqual([]);
    return read(run?.id as string);
  };

  const twoQuestions = async (fields: Partial<CreateAgentBody>) => {
    const agent = await harness.build.agent({ name: 'Ada', ...fields });
    const { companyId } = agent;
    const issues = [
      await harness.build.issue({ companyId, title: 'The first', status: 'todo' }),
      await harness.build.issue({ companyId, title: 'The second', status: 'todo' }),
    ] as const;
    const run = await whileBusy(agent, async () => {
      await say(issues[0], '@ada where is the key?');
      await say(issues[1], '@ada where is the door?');
    });
    return { agent, issues, run };
  };

  it('comments on each issue when a process agent executes the run', async () => {
    const { issues, run } = await twoQuestions({
      adapterType: 'process',
      adapterConfig: ANSWER_EACH_WAKE,
    });
    expect(run).toMatchObject({ status: 'succeeded', issueId: issues[0].id });
    const comments = run.wakes.map(({ commentId }) => commentId);
    expect(await thread(issues[0])).toEqual([
      '@ada where is the key?',
      `answer to ${comments[0]}, ${issues[0].identifier}: The first`,
    ]);
    expect(await thread(issues[1])).toEqual([
      '@ada where is the door?',
      `answer to ${comments[1]}, ${issues[1].identifier}: The second`,
    ]);
  });

  it('finishes each issue when the example agent executes the run', async () => {
    const program = join(__dirname, '../../../../../examples/agent.mjs');
    const { issues, run } = await twoQuestions({
      adapterType: 'process',
      adapterConfig: { command: process.execPath, args: [program] },
    });
    expect(run).toMatchObject({ status: 'succeeded', usage: { costCents: 7 } });
    for (const { id } of issues) {
      const { body } = await harness.api.get(`/api/issues/${id}`).expect(200);
      expect(body.status).toBe('done');
    }
  });

  it('comments on each issue when an http agent executes the run', async () => {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { wakes, environment } = JSON.parse(Buffer.concat(chunks).toString());
      for (const { issueId, commentId } of wakes) {
        const path = `${environment.SERVICE_API_URL}/api/issues/${issueId}/comments`;
        await fetch(path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${environment.SERVICE_API_KEY}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ body: `answer to ${commentId}` }),
        });
      }
      response.end('done');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const { issues, run } = await twoQuestions({
        adapterType: 'http',
        adapterConfig: { url: `http://127.0.0.1:${port}/` },
      });
      expect(run.status).toBe('succeeded');
      for (const [at, issue] of issues.entries()) {
        const answer = `answer to ${run.wakes[at]?.commentId}`;
        expect((await thread(issue)).slice(1)).toEqual([answer]);
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('comments on each issue when a coding agent follows the default prompt', async () => {
    const standIn = await createStandIn(folder, ANSWER_BY_PROMPT);
    const tool = { command: standIn.command, configured: [] };
    const { adapters } = harness.context;
    harness.context.adapters = createAdapterRegistry(
      createCodingAgents({
        settings: { claudeCode: tool, codex: tool, openCode: tool, prices: {} },
        allowedVariables: 'any',
        children: { inherited: harness.config.inherited, homes: null, confinements: CONFINEMENTS },
        listModels: async () => null,
      }),
    );
    try {
      const { issues, run } = await twoQuestions({
        adapterType: 'model_a_local',
        adapterConfig: { model: 'claude-sonnet-4-5', env: standIn.plays('claude-code-work') },
      });
      expect(run.status).toBe('succeeded');
      expect((await thread(issues[0])).slice(1)).toEqual(['answer to: ada where is the key?']);
      expect((await thread(issues[1])).slice(1)).toEqual(['answer to: ada where is the door?']);
    } finally {
      harness.context.adapters = adapters;
    }
  });
});
