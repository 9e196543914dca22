import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCodingAgents } from '@switchyard/runner/agents/coding-agents/coding-agents';
import { CONFINEMENTS } from '@switchyard/runner/test/confinements';
import { createStandIn, type StandIn } from '@switchyard/runner/test/stand-in-tool';
import { useHarness } from '../../../../test/harness';
import { createAdapterRegistry } from '../../../adapters/agents/adapter-registry';
import { runFolder } from '../../../config';
import { systemCall } from '../../../kernel/call';
import { storeUsage } from '../../../state/costs/record-usage';
import { findSession, rememberSession } from '../../../state/runs/agent-sessions';
import { pruneRunFolders } from '../sweep/prune-run-folders';

describe('conversations of coding agents', () => {
  const harness = useHarness();
  let folder: string;
  let standIn: StandIn;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchyard-sessions-'));
    standIn = await createStandIn(folder);
    driveWith(standIn.command);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  function driveWith(command: string) {
    const tool = { command, configured: [] };
    harness.context.adapters = createAdapterRegistry(
      createCodingAgents({
        settings: { claudeCode: tool, codex: tool, openCode: tool, prices: {} },
        allowedVariables: 'any',
        children: { inherited: harness.config.inherited, homes: null, confinements: CONFINEMENTS },
        listModels: async () => null,
      }),
    );
  }

  async function codex(...scenes: string[]) {
    const env = standIn.plays(...scenes.map((scene) => `codex-${scene}`));
    const agent = await harness.build.agent({
      adapterType: 'model_b_local',
      adapterConfig: { model: 'gpt-5.5', env },
    });
    const issue = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
    const beat = async (issueId: string | null = issue.id) => {
      const { id } = await harness.build.queuedRun(agent.id, issueId ? { issueId } : {});
      await harness.drain();
      return harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } });
    };
    return { agent, issue, beat };
  }
  const counted = (input: number, output: number, cacheRead: number) => ({
    input,
    output,
    cacheRead,
    cacheWrite: 0,
  });

  it('continue in the next run of the issue, in the same folder, without counting tokens twice', async () => {
    const { agent, issue, beat } = await codex('work', 'resumed');
    const first = await beat();
    expect(first).toMatchObject({ status: 'succeeded', inputTokens: 62_000n, costCents: 7n });
    const where = { issueId: issue.id };
    const session = await harness.db.agentSession.findFirstOrThrow({ where });
    expect(session).toMatchObject({
      agentId: agent.id,
      adapterType: 'model_b_local',
      directory: runFolder(harness.config, first.id),
      counted: counted(2_000, 1_000, 60_000),
    });
    const second = await beat();
    expect(second).toMatchObject({ status: 'succeeded', inputTokens: 7_500n, costCents: 1n });
    const starts = await standIn.starts();
    expect(starts[1]?.args).toContain(session.sessionId);
    expect(starts[1]?.cwd).toBe(starts[0]?.cwd);
    const after = await harness.db.agentSession.findFirstOrThrow({ where });
    expect(after.counted).toEqual(counted(2_500, 1_100, 67_000));
    const spent = await harness.db.costEvent.aggregate({ where, _sum: { inputTokens: true } });
    expect(spent._sum.inputTokens).toBe(69_500n);
  });

  it('continue when the adapter is named by its alias', async () => {
    const { agent, beat } = await codex('work', 'resumed');
    await beat();
    const { body } = await harness.api
      .patch(`/api/agents/${agent.id}`)
      .send({ adapterType: 'codex' })
      .expect(200);
    expect(body.adapterType).toBe('codex');
    expect(await beat()).toMatchObject({ status: 'succeeded', inputTokens: 7_500n });
    const [, second] = await standIn.starts();
    expect(second?.args).toContain('resume');
    const where = { agentId: agent.id };
    const sessions = await harness.db.agentSession.findMany({ where });
    expect(sessions.map(({ adapterType }) => adapterType)).toEqual(['model_b_local']);
  });

  it('do not continue for another issue or for a run without an issue', async () => {
    const { issue, agent, beat } = await codex('work');
    await beat();
    const other = await harness.build.issue({ companyId: agent.companyId, status: 'todo' });
    await beat(other.id);
    await beat(null);
    for (const { args } of await standIn.starts()) expect(args).not.toContain('resume');
    const rows = await harness.db.agentSession.findMany({ where: { agentId: agent.id } });
    expect(rows.map(({ issueId }) => issueId).sort()).toEqual([issue.id, other.id].sort());
  });

  it('do not resume in a retry before the usage limit is reset', async () => {
    const { beat } = await codex('work');
    const until = new Date(Date.now() + 3_600_000);
    const at = until.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
    const command = join(folder, 'limited');
    const message = `You've hit your usage limit. Try again at ${at}.`;
    const line = JSON.stringify({ type: 'turn.failed', error: { message } });
    await writeFile(command, `#!/bin/sh\ncat > /dev/null\ncat <<'END'\n${line}\nEND\nexit 1\n`, {
      mode: 0o755,
    });
    driveWith(command);
    const run = await beat();
    expect(run).toMatchObject({ status: 'failed', errorCode: 'quota_exhausted' });
    const retry = await harness.db.heartbeatRun.findFirstOrThrow({
      where: { retryOfRunId: run.id },
    });
    expect(retry).toMatchObject({ status: 'queued', source: 'retry', issueId: run.issueId });
    const { body: runs } = await harness.api
      .get(`/api/companies/${run.companyId}/heartbeat-runs?status=queued`)
      .expect(200);
    expect(runs).toMatchObject([{ id: retry.id, notBefore: retry.notBefore?.toISOString() }]);
    const late = (retry.notBefore?.getTime() ?? 0) - until.getTime();
    expect(late).toBeGreaterThanOrEqual(-1_000);
    expect(late).toBeLessThan(75_000);
  });

  it('cannot be changed by an outdated claim or used by a concurrent run', async () => {
    const { agent, issue } = await codex('work');
    const { id } = await harness.build.liveRun(agent);
    const { companyId } = agent;
    const run = { id, epoch: 1, companyId, agentId: agent.id, issueId: issue.id };
    await harness.db.heartbeatRun.update({ where: { id }, data: { issueId: issue.id } });
    const { db } = harness.context;
    const call = systemCall(harness.context, run.companyId);
    const place = { id: 'first', directory: '/somewhere' };
    await rememberSession(db, { ...run, epoch: 0 }, 'model_b_local', place);
    expect(await findSession(db, run, 'model_b_local')).toBeNull();
    await rememberSession(db, run, 'model_b_local', place);
    const usage = { provider: 'openai', model: 'x', inputTokens: 5, outputTokens: 1, costCents: 1 };
    const models = [{ model: 'x', ...counted(5, 1, 0), dollars: 0.01 }];
    const told = { ...usage, counted: { ...counted(5, 1, 0), dollars: 0.01, models } };
    await storeUsage(call, { ...run, epoch: 0 }, 'model_b_local', told, 'first');
    expect(await findSession(db, run, 'model_b_local')).toEqual({
      ...place,
      counted: counted(0, 0, 0),
    });
    await storeUsage(call, run, 'model_b_local', told, 'first');
    expect(await findSession(db, run, 'model_b_local')).toEqual({
      ...place,
      counted: told.counted,
    });
    expect(await harness.db.costEvent.count({ where: { runId: id } })).toBe(1);

    const sibling = await harness.build.liveRun(agent);
    expect(await findSession(db, { ...run, id: sibling.id }, 'model_b_local')).toBeNull();
    await rememberSession(db, run, 'model_b_local', { ...place, id: 'second' });
    const anew = await findSession(db, run, 'model_b_local');
    expect(anew).toMatchObject({ id: 'second', counted: counted(0, 0, 0) });
    await storeUsage(call, run, 'model_b_local', told, 'first');
    const still = await findSession(db, run, 'model_b_local');
    expect(still).toMatchObject({ id: 'second', counted: counted(0, 0, 0) });
  });

  it('keep their folder while they are recent', async () => {
    const { issue, beat } = await codex('work');
    const { id } = await beat();
    const run = runFolder(harness.config, id);
    await mkdir(run, { recursive: true });
    const longAgo = new Date(Date.now() - 5 * 86_400_000);
    await harness.db.heartbeatRun.update({ where: { id }, data: { finishedAt: longAgo } });
    expect(await pruneRunFolders(harness.context, 1, 100)).toBe(0);
    const where = { issueId: issue.id };
    await harness.db.agentSession.updateMany({ where, data: { updatedAt: longAgo } });
    expect(await pruneRunFolders(harness.context, 1, 100)).toBe(1);
  });

  it('require a prompt template with only known placeholders', async () => {
    const { id } = await harness.build.company();
    const body = { name: 'Ada', adapterType: 'model_a_local' };
    const answer = await harness.api
      .post(`/api/companies/${id}/agents`)
      .send({ ...body, adapterConfig: { promptTemplate: 'Hello {{agent.nmae}}' } })
      .expect(400);
    expect(answer.body.details).toMatchObject([
      {
        path: ['adapterConfig', 'promptTemplate'],
        message: expect.stringContaining('{{agent.nmae}}'),
      },
    ]);
  });
});
