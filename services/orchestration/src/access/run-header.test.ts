import { newId } from '@switchyard/db';
import type { LiveRun } from '../../test/builders';
import { everything } from '../../test/everything';
import { useHarness } from '../../test/harness';

describe('X-Service-Run-Id', () => {
  const harness = useHarness();

  async function setUp() {
    const run = await harness.build.liveRun();
    const issue = await harness.build.issue({ companyId: run.agent.companyId });
    const key = await harness.build.apiKey(run.agent.id);
    return { run, issue, key };
  }

  const comment = (issueId: string, authorization: string | null, runId?: string) => {
    const request = harness.api.post(`/api/issues/${issueId}/comments`);
    if (authorization) request.set('Authorization', authorization);
    if (runId !== undefined) request.set('X-Service-Run-Id', runId);
    return request.send({ body: 'hello' });
  };

  it('may be omitted with a run token, whose run is recorded in either case', async () => {
    const { run, issue } = await setUp();
    for (const named of [undefined, run.id, run.id.toUpperCase()]) {
      const { body } = await comment(issue.id, run.authorization, named).expect(201);
      expect(body).toMatchObject({ createdByRunId: run.id, authorAgentId: run.agent.id });
    }
    const activity = await harness.db.activity.findMany({
      where: { entityId: issue.id, action: 'issue.commented' },
    });
    expect(activity.map((row) => row.runId)).toEqual([run.id, run.id, run.id]);
  });

  it('causes 403 if it names a run other than the run of the run token, even another run of the same agent', async () => {
    const { run, issue } = await setUp();
    const sibling = await harness.build.liveRun(run.agent);
    const before = await everything(harness);
    for (const named of [sibling.id, newId()]) {
      const { body } = await comment(issue.id, run.authorization, named).expect(403);
      expect(body.code).toBe('forbidden');
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('may name a live run of the agent in a request with an API key', async () => {
    const { run, issue, key } = await setUp();
    const without = await comment(issue.id, key).expect(201);
    expect(without.body.createdByRunId).toBeNull();
    const { body } = await comment(issue.id, key, run.id).expect(201);
    expect(body.createdByRunId).toBe(run.id);
    const claimed = await harness.api
      .post(`/api/issues/${issue.id}/checkout`)
      .set({ Authorization: key, 'X-Service-Run-Id': run.id })
      .send({ agentId: run.agent.id, expectedStatuses: ['backlog'] })
      .expect(200);
    expect(claimed.body.checkoutRunId).toBe(run.id);
  });

  it('causes 403 with an API key if it names an ended, waiting or unknown run, or a run of another agent', async () => {
    const { build } = harness;
    const { run, issue, key } = await setUp();
    const other = await build.liveRun({ companyId: issue.companyId });
    const ended: LiveRun = await build.liveRun(run.agent);
    await build.endLiveRun(ended.id);
    const waiting = await build.queuedRun(run.agent.id);
    await comment(issue.id, key).expect(201);
    const before = await everything(harness);
    for (const named of [other.id, ended.id, waiting.id, newId()]) {
      await comment(issue.id, key, named).expect(403);
    }
    expect(await everything(harness)).toEqual(before);
  });

  it('causes 400 for every kind of caller if it is malformed', async () => {
    const { run, issue, key } = await setUp();
    for (const authorization of [run.authorization, key, null]) {
      for (const named of ['nothing', '', '42', `${run.id}x`]) {
        const { body } = await comment(issue.id, authorization, named).expect(400);
        expect(body.details[0].path).toEqual(['X-Service-Run-Id']);
      }
    }
  });

  it('may name a live run of the company when the board sends the request', async () => {
    const { run, issue } = await setUp();
    const { body } = await comment(issue.id, null, run.id).expect(201);
    expect(body).toMatchObject({ createdByRunId: run.id, authorAgentId: null });
    const foreign = await harness.build.liveRun();
    await comment(issue.id, null, foreign.id).expect(403);
  });

  it('may be omitted, but the run token of an earlier claim still causes 401', async () => {
    const { run, issue } = await setUp();
    await harness.context.db.pool.query('UPDATE heartbeat_run SET epoch = 2 WHERE id = $1', [
      run.id,
    ]);
    const { body } = await comment(issue.id, run.authorization).expect(401);
    expect(body.code).toBe('token_expired');
  });
});
