import { useHarness } from '../../../test/harness';
import { inTransaction, systemCall } from '../../kernel/call';
import { correctCost } from '../../state/costs/correct-cost';
import { recordUsage } from '../../state/costs/record-usage';
import { sweepReservations } from '../../state/costs/sweep-reservations';

const COST = { provider: 'acme', model: 'large', inputTokens: 30, outputTokens: 4 };

describe('a cost report by the agent itself', () => {
  const harness = useHarness();

  const start = async () => {
    const { api, build } = harness;
    const run = await build.liveRun();
    const { companyId, id: agentId } = run.agent;
    const limit = (path: string, budgetMonthlyCents: number) =>
      api.patch(path).send({ budgetMonthlyCents }).expect(200);
    await limit(`/api/companies/${companyId}`, 1_000);
    await limit(`/api/agents/${agentId}`, 100);
    const report = (costCents: number, more: object = {}) =>
      api
        .post(`/api/companies/${companyId}/cost-events`)
        .set('Authorization', run.authorization)
        .send({ ...COST, agentId, costCents, ...more });
    const summary = async () =>
      (await api.get(`/api/companies/${companyId}/costs/summary`).expect(200)).body;
    return { run, companyId, agentId, report, summary, limit };
  };

  it('counts only up to the remaining budget, and disputes the rest', async () => {
    const { api, build } = harness;
    const { companyId, agentId, report, summary } = await start();
    expect((await report(60).expect(201)).body).toMatchObject({
      costCents: 60,
      disputedCents: 0,
      source: 'agent',
    });
    const { body } = await report(1_000_000_000_000).expect(201);
    expect(body).toMatchObject({ costCents: 40, disputedCents: 999_999_999_960 });
    expect((await report(7).expect(201)).body).toMatchObject({ costCents: 0, disputedCents: 7 });
    const disputedCents = 999_999_999_967;
    expect(await summary()).toMatchObject({ spendCents: 100, disputedCents, alert: 'none' });
    const month = new Date().toISOString().slice(0, 7);
    for (const range of ['', `?month=${month}`]) {
      const agents = await api.get(`/api/companies/${companyId}/costs/by-agent${range}`);
      expect(agents.body).toEqual([
        expect.objectContaining({ agentId, costCents: 100, disputedCents }),
      ]);
    }
    const agent = await api.get(`/api/agents/${agentId}`).expect(200);
    expect(agent.body).toMatchObject({ pauseReason: 'budget', spentMonthlyCents: 100 });
    const colleague = await build.agent({ companyId });
    await api.post(`/api/agents/${colleague.id}/heartbeat/invoke`).expect(202);
  });

  it('counts no more than the budget in total if reports are concurrent', async () => {
    const { report, summary } = await start();
    const answers = await Promise.all(Array.from({ length: 12 }, () => report(30)));
    const sum = (field: string) => answers.reduce((all, { body }) => all + body[field], 0);
    expect([sum('costCents'), sum('disputedCents')]).toEqual([100, 260]);
    expect(await summary()).toMatchObject({ spendCents: 100, disputedCents: 260 });
  });

  it('counts again after the budget is raised, and counts in full without a budget', async () => {
    const { agentId, report, limit } = await start();
    await report(150).expect(201);
    await limit(`/api/agents/${agentId}`, 120);
    expect((await report(50).expect(201)).body).toMatchObject({ costCents: 20, disputedCents: 30 });
    await harness.api
      .patch(`/api/agents/${agentId}`)
      .send({ budgetMonthlyCents: 0, confirmUnlimited: true })
      .expect(200);
    expect((await report(50).expect(201)).body).toMatchObject({ costCents: 50, disputedCents: 0 });
  });

  it('cannot exceed the budget, unlike reports by the gateway or the board', async () => {
    const { api, context } = harness;
    const { run, companyId, agentId, summary } = await start();
    const claim = { id: run.id, agentId, epoch: 1 };
    const use = (costCents: number, source: 'gateway' | 'agent') =>
      recordUsage(systemCall(context, companyId), claim, { ...COST, costCents }, source);
    await use(130, 'agent');
    expect(await summary()).toMatchObject({ spendCents: 100, disputedCents: 30 });
    await use(200, 'gateway');
    const board = { ...COST, agentId, costCents: 300 };
    const entered = await api.post(`/api/companies/${companyId}/cost-events`).send(board);
    expect(entered.body).toMatchObject({ costCents: 300, disputedCents: 0, source: 'board' });
    expect(await summary()).toMatchObject({ spendCents: 600, disputedCents: 30 });
  });

  it('does not count if the gateway counts the usage of the same provider in the same run', async () => {
    const { context } = harness;
    const { run, companyId, agentId, report } = await start();
    const claim = { id: run.id, agentId, epoch: 1 };
    await recordUsage(systemCall(context, companyId), claim, { ...COST, costCents: 10 }, 'gateway');
    expect((await report(5).expect(201)).body).toMatchObject({ costCents: 0, disputedCents: 5 });
    const other = await report(5, { provider: 'other' }).expect(201);
    expect(other.body).toMatchObject({ costCents: 5, disputedCents: 0 });
  });

  it('does not count if an expired reservation counts the provider, unless its call used nothing', async () => {
    const { context } = harness;
    const { run, companyId, agentId, report } = await start();
    await context.db.pool.query(
      `INSERT INTO reservation (id, company_id, agent_id, run_id, ticket_hash, cents, provider, expires_at)
       VALUES (gen_random_uuid(), $1, $2, $3, 'x', 10, 'acme', now() - interval '1 second')`,
      [companyId, agentId, run.id],
    );
    await sweepReservations(context);
    expect((await report(5).expect(201)).body).toMatchObject({ costCents: 0, disputedCents: 5 });
    const { rows } = await context.db.pool.query<{ id: string }>(
      'SELECT id FROM reservation WHERE run_id = $1',
      [run.id],
    );
    const booked = { agentId, runId: run.id, reservationId: rows[0]?.id as string };
    await inTransaction(systemCall(context, companyId), (tx) => correctCost(tx, booked, null));
    expect((await report(5).expect(201)).body).toMatchObject({ costCents: 5, disputedCents: 0 });
  });

  it('must have an `occurredAt` within the run', async () => {
    const { run, report } = await start();
    const { rows } = await harness.context.db.pool.query<{ started: Date }>(
      'SELECT started_at AS started FROM heartbeat_run WHERE id = $1',
      [run.id],
    );
    const started = rows[0]?.started.getTime() as number;
    const at = (ms: number) => new Date(ms).toISOString();
    await report(1, { occurredAt: at(started) }).expect(201);
    await report(1, { occurredAt: at(Date.now()) }).expect(201);
    for (const occurredAt of [
      '2020-02-29T00:00:00Z',
      at(started - 3_600_000),
      at(Date.now() + 3_600_000),
    ]) {
      const { status, body } = await report(1, { occurredAt });
      expect([status, body.details.field]).toEqual([422, 'occurredAt']);
    }
  });

  it('returns the existing event for a repeated key, even if the time has become invalid', async () => {
    const { run, report } = await start();
    const occurredAt = new Date().toISOString();
    const first = await report(1, { occurredAt, idempotencyKey: 'one' }).expect(201);
    await harness.context.db.pool.query(
      "UPDATE heartbeat_run SET started_at = now() + interval '1 day' WHERE id = $1",
      [run.id],
    );
    const again = await report(1, { occurredAt, idempotencyKey: 'one' }).expect(200);
    expect(again.body.id).toBe(first.body.id);
  });
});
