import { newId } from '@switchyard/db';
import type { HeartbeatRunView } from '@switchyard/types';
import { statementsOf } from '../../../test/count-statements';
import { useHarness } from '../../../test/harness';
import { SUCCEEDED } from '../../../test/scripted-adapter';
import { claimRun } from '../../state/runs/claim-run';

describe('wakes and runs', () => {
  const harness = useHarness();

  const invoke = (agentId: string, body: object = {}) =>
    harness.api.post(`/api/agents/${agentId}/heartbeat/invoke`).send(body);
  const getRun = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`)).body as HeartbeatRunView;
  const failure = { exitCode: 1, errorCode: 'adapter_exit', error: 'no', transient: false };

  it('cannot refer to an issue of another company, even if the wake would join a waiting run', async () => {
    const agent = await harness.build.agent();
    const foreign = await harness.build.issue();
    const own = await harness.build.issue({ companyId: agent.companyId });
    const waiting = await invoke(agent.id, { issueId: own.id });
    expect((await invoke(agent.id, { issueId: foreign.id })).body.code).toBe('cross_company');
    expect((await invoke(agent.id, { issueId: newId() })).body.code).toBe('unknown_reference');
    expect((await getRun(waiting.body.id)).wakeReasons).toHaveLength(1);
  });

  it('need at most 6 SQL statements to join the waiting run of a busy agent', async () => {
    const agent = await harness.build.agent();
    const waiting = await invoke(agent.id);
    const statements = await statementsOf(harness, async () => {
      expect((await invoke(agent.id)).body.id).toBe(waiting.body.id);
    });
    expect(statements.length).toBeLessThanOrEqual(6);
  });

  it('merge into one run, which lists every wake, if a busy agent is invoked concurrently', async () => {
    const agent = await harness.build.agent();
    const invoked = await Promise.all(
      Array.from({ length: 20 }, (_, n) => invoke(agent.id, { reason: `reason ${n}` })),
    );
    expect(new Set(invoked.map(({ body }) => body.id)).size).toBe(1);
    const { wakeReasons } = await getRun(invoked[0]?.body.id);
    const reasons = wakeReasons.map(({ reason }) => reason).sort();
    expect(reasons).toEqual(Array.from({ length: 20 }, (_, n) => `reason ${n}`).sort());
    const times = wakeReasons.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    const path = `/api/companies/${agent.companyId}/activity?action=heartbeat.invoked`;
    const { body: entries } = await harness.api.get(path).expect(200);
    const outcomes = entries.map(
      (entry: { details: { outcome: string } }) => entry.details.outcome,
    );
    expect(outcomes.sort()).toEqual([...Array(19).fill('coalesced'), 'woken']);
  });

  it('have a payload of limited size, which list routes omit', async () => {
    const agent = await harness.build.agent();
    const large = await invoke(agent.id, { payload: { text: 'x'.repeat(17_000) } });
    expect([large.status, large.body.details[0].path]).toEqual([400, ['payload']]);
    for (let n = 0; n < 6; n++) {
      await invoke(agent.id, { payload: { text: 'x'.repeat(15_000) } }).expect(202);
    }
    const path = `/api/companies/${agent.companyId}/heartbeat-runs`;
    const [listed] = (await harness.api.get(path)).body as HeartbeatRunView[];
    expect(listed?.wakeReasons.map((wake) => wake.payload)).toEqual(Array(6).fill(null));
    const { wakeReasons } = await getRun(listed?.id as string);
    const kept = wakeReasons.filter((wake) => wake.payload !== null);
    expect(kept.length).toBeGreaterThan(2);
    expect(JSON.stringify(kept).length).toBeLessThan(70_000);
  });

  it('stop at the hop limit if an agent wakes itself from its own runs', async () => {
    const agent = await harness.build.agent();
    let refused = '';
    harness.scripted.on(agent.id, async (run) => {
      const answer = await harness.api
        .post(`/api/agents/${agent.id}/heartbeat/invoke`)
        .set('Authorization', `Bearer ${run.environment.SERVICE_API_KEY}`);
      if (answer.status !== 202) refused = answer.body.details.reason;
      return SUCCEEDED;
    });
    await invoke(agent.id).expect(202);
    await harness.drain();
    expect(refused).toBe('hop_limit');
    const runs = await harness.db.heartbeatRun.count({ where: { agentId: agent.id } });
    expect(runs).toBe(harness.config.mentionHopCap + 1);
  });

  it('end as cancelled when consecutive failures pause the agent', async () => {
    const agent = await harness.build.agent();
    await harness.db.agent.update({ where: { id: agent.id }, data: { consecutiveFailures: 4 } });
    let waiting = '';
    harness.scripted.on(agent.id, async () => {
      waiting = (await invoke(agent.id)).body.id;
      return { status: 'failed', ...failure };
    });
    await invoke(agent.id).expect(202);
    await harness.drain();
    expect(await getRun(waiting)).toMatchObject({ status: 'cancelled', startedAt: null });
    const paused = await harness.api.get(`/api/agents/${agent.id}`);
    expect(paused.body).toMatchObject({ status: 'paused', pauseReason: 'failures' });
  });

  it('can be taken over by another worker after the lease expires, even if the agent is paused', async () => {
    const run = await harness.build.liveRun();
    await harness.context.db.pool.query(
      `UPDATE agent SET status = 'paused', pause_reason = 'failures', paused_at = now() WHERE id = $1`,
      [run.agent.id],
    );
    await harness.context.db.pool.query(
      `UPDATE heartbeat_run SET lease_expires_at = now() - interval '1 s' WHERE id = $1`,
      [run.id],
    );
    const claimed = await claimRun(
      harness.context,
      { ...run, companyId: run.agent.companyId, agentId: run.agent.id },
      'other',
    );
    expect(claimed).toMatchObject({ attempt: 2, status: 'running' });
    const agent = await harness.api.get(`/api/agents/${run.agent.id}`);
    expect(agent.body).toMatchObject({ status: 'paused', pauseReason: 'failures' });
  });

  it('start immediately on a manual retry, even if the automatic retry is due later', async () => {
    const agent = await harness.build.agent();
    harness.scripted.on(agent.id, () => ({
      status: 'failed',
      ...failure,
      transient: true,
      retryAfterMs: 3_600_000,
    }));
    const first = (await invoke(agent.id)).body as HeartbeatRunView;
    await harness.drain();
    harness.scripted.on(agent.id, () => SUCCEEDED);
    const retried = await harness.api.post(`/api/heartbeat-runs/${first.id}/retry`);
    expect(retried.status).toBe(202);
    await harness.drain();
    expect((await getRun(retried.body.id)).status).toBe('succeeded');
  });

  it('return an empty log for an offset beyond its end', async () => {
    const run = await harness.build.liveRun();
    const log = await harness.api
      .get(`/api/heartbeat-runs/${run.id}/log`)
      .query({ offset: 2_147_483_647, limit: 1_048_576 });
    expect([log.status, log.body.content]).toEqual([200, '']);
  });

  it('cannot reassign an issue that another agent has checked out', async () => {
    const holder = await harness.build.liveRun();
    const other = await harness.build.liveRun({ companyId: holder.agent.companyId });
    const issue = await harness.build.issue({ companyId: holder.agent.companyId, status: 'todo' });
    await harness.api
      .post(`/api/issues/${issue.id}/checkout`)
      .set('Authorization', holder.authorization)
      .send({ agentId: holder.agent.id, expectedStatuses: ['todo'] })
      .expect(200);
    for (const assigneeAgentId of [other.agent.id, null]) {
      const taken = await harness.api
        .patch(`/api/issues/${issue.id}`)
        .set('Authorization', other.authorization)
        .send({ assigneeAgentId });
      expect([taken.status, taken.body.code]).toEqual([409, 'checked_out']);
    }
  });
});
