import { newId } from '@switchyard/db';
import { type OverviewView, overview } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';

describe('GET /api/companies/{companyId}/overview', () => {
  const harness = useHarness({ config: { maxRunningRunsPerCompany: 3 } });
  const query = (sql: string, values: unknown[] = []) => harness.context.db.pool.query(sql, values);

  const read = async (companyId: string): Promise<OverviewView> => {
    const { body } = await harness.api.get(`/api/companies/${companyId}/overview`).expect(200);
    return overview.strict().parse(body);
  };

  it('returns every field, with empty values, for an empty company', async () => {
    const { id } = await harness.build.company();
    const shown = await read(id);
    expect(shown).toMatchObject({
      companyId: id,
      running: { total: 0, runs: [] },
      waiting: { total: 0, runs: [], byReason: { worker: 0, retry_time: 0 } },
      next: [],
      failures: [],
      spend: { spendCents: 0, unlimited: true, endsOn: null, today: { spendCents: 0 } },
    });
    expect(shown.days).toHaveLength(14);
    expect(shown.spend.today.date).toBe(shown.generatedAt.slice(0, 10));
  });

  it('lists active runs with issue and last output, the longest-running first', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const issue = await build.issue({ companyId, title: 'Repair the login' });
    const [late, early] = [await build.liveRun({ companyId }), await build.liveRun({ companyId })];
    await query(
      `UPDATE heartbeat_run SET issue_id = $2, started_at = now() - interval '1 hour',
         wake_reasons = '[{"source": "manual", "reason": "please", "issueId": null, "commentId": null,
           "payload": null, "at": "2026-01-01T00:00:00.000Z"}]' WHERE id = $1`,
      [early.id, issue.id],
    );
    await query(
      `INSERT INTO run_log_chunk (company_id, run_id, start_offset, content)
       VALUES ($1, $2, 0, 'old'), ($1, $2, 3, $3)`,
      [companyId, early.id, Buffer.from('one\nzwei: ä\n')],
    );
    const { running, days } = await read(companyId);
    expect(running.total).toBe(2);
    expect(running.runs.map(({ id }) => id)).toEqual([early.id, late.id]);
    expect(running.runs[0]).toMatchObject({
      agentName: early.agent.name,
      reason: 'please',
      lastLogLine: 'zwei: ä',
      lastOutputAt: expect.any(String),
      issue: { id: issue.id, identifier: issue.identifier, title: 'Repair the login' },
    });
    expect(running.runs[1]).toMatchObject({ issue: null, lastLogLine: null, lastOutputAt: null });
    expect(days.at(-1)).toMatchObject({ total: 2, byStatus: { running: 2 } });
  });

  it('returns the reason why each waiting run waits', async () => {
    const { build, db } = harness;
    const { id: companyId } = await build.company();
    const waits = async (of: Parameters<typeof build.agent>[0] = {}, isBusy = false) => {
      const agent = await build.agent({ companyId, ...of });
      if (isBusy) await build.liveRun(agent);
      const run = await build.queuedRun(agent.id);
      return { agentId: agent.id, runId: run.id };
    };
    const free = await waits();
    const busy = await waits({ maxConcurrentRuns: 1 }, true);
    const later = await waits();
    const notBefore = new Date(Date.now() + 3_600_000);
    await db.heartbeatRun.update({ where: { id: later.runId }, data: { notBefore } });
    const external = await waits({ adapterType: 'external', adapterConfig: {} });
    const stopped = await waits();
    const pause = `status = 'paused', pause_reason = 'manual', paused_at = now()`;
    await query(`UPDATE agent SET ${pause} WHERE id = $1`, [stopped.agentId]);

    const expected = new Map([
      [free.runId, 'worker'],
      [busy.runId, 'agent'],
      [later.runId, 'retry_time'],
      [external.runId, 'agent_fetch'],
      [stopped.runId, 'agent_stopped'],
    ]);
    const { waiting } = await read(companyId);
    expect(new Map(waiting.runs.map(({ id, waitsFor }) => [id, waitsFor]))).toEqual(expected);
    for (const [runId, waitsFor] of expected) {
      const { body: run } = await harness.api.get(`/api/heartbeat-runs/${runId}`).expect(200);
      expect(run).toMatchObject({ id: runId, waitsFor });
    }
    expect(waiting).toMatchObject({
      total: 5,
      byReason: { worker: 1, agent: 1, company_limit: 0 },
    });
    expect(waiting.runs.find(({ id }) => id === later.runId)?.notBefore).toBe(
      notBefore.toISOString(),
    );
    for (let more = 0; more < 2; more++) await build.liveRun({ companyId });
    expect((await read(companyId)).waiting.byReason).toMatchObject({ company_limit: 1, worker: 0 });
    const { body: limited } = await harness.api.get(`/api/heartbeat-runs/${free.runId}`);
    expect(limited.waitsFor).toBe('company_limit');
    const started = await build.liveRun();
    const { body: running } = await harness.api.get(`/api/heartbeat-runs/${started.id}`);
    expect(running.waitsFor).toBeNull();
  });

  it('groups recent failures by error code, and returns the last failure of each group', async () => {
    const { build } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const issue = await build.issue({ companyId });
    const fail = async (status: string, code: string | null, daysAgo: number, error = 'No') => {
      const id = newId();
      await query(
        `INSERT INTO heartbeat_run (id, company_id, agent_id, issue_id, status, source, error_code, error, created_at, finished_at)
         VALUES ($1, $2, $3, $4, $5, 'manual', $6, $7, now() - $8 * interval '1 day', now())`,
        [id, companyId, agent.id, issue.id, status, code, error, daysAgo],
      );
      return id;
    };
    await fail('failed', 'adapter_exit', 3);
    const last = await fail('failed', 'adapter_exit', 1, `${'x'.repeat(300)}`);
    const timeout = await fail('timed_out', 'timeout', 2);
    await fail('failed', null, 0);
    await fail('failed', 'worker_lost', 20);
    await fail('cancelled', 'agent_paused', 0);
    const { failures, days } = await read(companyId);
    expect(failures.map(({ errorCode, count }) => [errorCode, count])).toEqual([
      ['adapter_exit', 2],
      ['timeout', 1],
      ['unknown', 1],
    ]);
    expect(failures[0]?.last).toMatchObject({
      runId: last,
      status: 'failed',
      agentName: agent.name,
      issue: { identifier: issue.identifier },
      error: 'x'.repeat(200),
    });
    expect(failures[1]?.last?.runId).toBe(timeout);
    expect(days.at(-2)).toMatchObject({ total: 1, byStatus: { failed: 1 } });
  });

  it('returns the spend of today and of the month, and the date on which the budget runs out', async () => {
    const { build, api } = harness;
    const company = await build.company();
    const { id: companyId } = company;
    await api.patch(`/api/companies/${companyId}`).send({ budgetMonthlyCents: 1_000 }).expect(200);
    const { id: agentId } = await build.agent({ companyId });
    const used = { agentId, provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };
    await api
      .post(`/api/companies/${companyId}/cost-events`)
      .send({ ...used, costCents: 850 })
      .expect(201);
    const { spend } = await read(companyId);
    const { body } = await api.get(`/api/companies/${companyId}/costs/summary`).expect(200);
    expect(spend).toMatchObject({
      today: { spendCents: 850 },
      spendCents: 850,
      budgetCents: 1_000,
      utilizationPercent: 85,
      alert: 'soft',
      unlimited: false,
      burnRateCentsPerDay: body.burnRateCentsPerDay,
      endsOn: body.endsOn,
    });
  });

  it('lists the next scheduled firings of active routines, but not of paused routines', async () => {
    const { build, api } = harness;
    const { id: companyId } = await build.company();
    const soon = await build.routine({ companyId, title: 'Soon' });
    const paused = await build.routine({ companyId, title: 'Paused' });
    for (const { id } of [soon, paused]) {
      await build.trigger(id, { kind: 'schedule', cronExpression: '0 8 * * *' });
    }
    await api.patch(`/api/routines/${paused.id}`).send({ status: 'paused' }).expect(200);
    const { next } = await read(companyId);
    expect(next).toEqual([
      expect.objectContaining({ routineId: soon.id, title: 'Soon', timezone: 'UTC' }),
    ]);
  });

  it('executes the same number of SQL statements for any number of runs', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company();
    const spy = jest.spyOn(harness.context.db.pool, 'query');
    try {
      await read(companyId);
      spy.mockClear();
      await read(companyId);
      const few = spy.mock.calls.length;
      spy.mockClear();
      for (let row = 0; row < 3; row++) {
        const { agent } = await build.liveRun({ companyId });
        await build.queuedRun(agent.id);
      }
      spy.mockClear();
      await read(companyId);
      expect(spy.mock.calls.length).toBe(few);
      expect(few).toBeLessThanOrEqual(4);
    } finally {
      spy.mockRestore();
    }
  });
});
