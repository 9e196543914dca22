import { newId } from '@switchyard/db';
import type { RunAssignment } from '@switchyard/types';
import { findViolations } from '../../../../test/find-violations';
import { useHarness } from '../../../../test/harness';
import { runnerClient, USAGE, WITH_RUNNERS } from '../../../../test/runner-client';
import { continuePausedRuns } from '../../../state/costs/continue-paused-runs';
import { sweepReservations } from '../../../state/costs/sweep-reservations';

const HELD = `
  SELECT (SELECT coalesce(sum(cost_cents), 0)::int FROM cost_event WHERE company_id = $1) AS spent,
    (SELECT coalesce(sum(cents), 0)::int FROM reservation WHERE company_id = $1) AS reserved`;

describe('a reservation of spend', () => {
  const expectSums = async () => expect(await findViolations(harness.context.db.pool)).toEqual({});
  const harness = useHarness({ config: WITH_RUNNERS });
  const query = (sql: string, ...values: unknown[]) => harness.context.db.pool.query(sql, values);

  const begin = async (budgets: { agent?: number; company?: number } = { agent: 100 }) => {
    const { api, build } = harness;
    const adapterConfig = { command: 'true', runnerLabels: ['own'] };
    const agent = await build.agent({ adapterType: 'process', adapterConfig });
    const { companyId } = agent;
    const limit = (path: string, budgetMonthlyCents = 0) =>
      api.patch(path).send({ budgetMonthlyCents }).expect(200);
    await limit(`/api/agents/${agent.id}`, budgets.agent);
    await limit(`/api/companies/${companyId}`, budgets.company);
    const { body } = await api
      .post(`/api/companies/${companyId}/runners`)
      .send({ name: 'own', labels: ['own'] })
      .expect(201);
    const runner = runnerClient(harness, { token: body.token, labels: ['own'] });
    const take = async () => ((await runner.take()) as [RunAssignment])[0];
    await build.queuedRun(agent.id);
    const run = await take();
    const reserve = async (cents: number | null, id = newId()) => {
      const answer = await runner.reserve(run, id, cents).expect(200);
      return { id, ...answer.body };
    };
    const settle = (id: string, cents: number | null) => runner.settle(run, id, cents).expect(204);
    const held = async () => (await query(HELD, companyId)).rows[0];
    const eventsOf = async () =>
      (await api.get(`/api/companies/${companyId}/cost-events`).expect(200)).body;
    const expire = async () => {
      await query(
        `UPDATE reservation SET expires_at = now() - interval '1 ms' WHERE company_id = $1 AND cost_event_id IS NULL`,
        companyId,
      );
      await sweepReservations(harness.context);
    };
    return { agent, companyId, runner, run, take, reserve, settle, held, limit, eventsOf, expire };
  };

  it.each(['agent', 'company'] as const)(
    'waits if open reservations leave too little budget for the %s, and fails if the spend leaves too little',
    async (of) => {
      const { reserve, settle, held } = await begin({ [of]: 100 });
      const first = await reserve(60);
      expect(first).toMatchObject({ outcome: 'reserved', code: null, message: '' });
      expect((await reserve(41)).outcome).toBe('waits');
      expect((await reserve(40)).outcome).toBe('reserved');
      expect(await held()).toEqual({ spent: 0, reserved: 100 });
      await settle(first.id, 30);
      expect(await held()).toEqual({ spent: 30, reserved: 40 });
      expect(await reserve(71)).toMatchObject({
        outcome: 'refused',
        code: `${of}_budget`,
        message: expect.stringMatching(/budget of 100 cents has 30 cents left.* cost 71/),
      });
      expect((await reserve(30)).outcome).toBe('reserved');
    },
  );

  it('accepts one settlement, and stores no settlement for a call without usage', async () => {
    const { reserve, settle, held, run } = await begin();
    const { id } = await reserve(60);
    expect(await reserve(60, id)).toMatchObject({ outcome: 'reserved' });
    await Promise.all([settle(id, 20), settle(id, 20), settle(id, 20)]);
    await settle(id, 20);
    expect(await held()).toEqual({ spent: 20, reserved: 0 });
    const unused = await reserve(50);
    await settle(unused.id, null);
    expect(await held()).toEqual({ spent: 20, reserved: 0 });
    const { body } = await harness.api.get(`/api/heartbeat-runs/${run.runId}`);
    expect(body.usage).toMatchObject({ costCents: 20, inputTokens: USAGE.inputTokens });
  });

  it.each([
    ['nothing', null],
    ['7 cents', 7],
  ])('fails with 409 after its settlement of %s, and reserves nothing', async (_used, cents) => {
    const { runner, run, settle, reserve, held } = await begin();
    const id = newId();
    await settle(id, cents);
    const { body } = await runner.reserve(run, id, 60).expect(409);
    expect(body.code).toBe('conflict');
    await settle(id, 50);
    const { id: second } = await reserve(30);
    await settle(second, cents);
    await runner.reserve(run, second, 30).expect(409);
    expect(await held()).toEqual({ spent: 2 * (cents ?? 0), reserved: 0 });
  });

  it('fails with 409 if its id belongs to another reservation', async () => {
    const { runner, run, reserve, held } = await begin();
    const { id } = await reserve(10);
    await runner.reserve(run, id, 60).expect(409);
    const other = await begin();
    await other.runner.reserve(other.run, id, 10).expect(409);
    expect(await held()).toEqual({ spent: 0, reserved: 10 });
    expect(await other.held()).toEqual({ spent: 0, reserved: 0 });
  });

  it('leaves no row an hour after its settlement', async () => {
    const { reserve, settle, run, expire } = await begin();
    await settle((await reserve(60)).id, 20);
    await expire();
    const { rows } = await query('SELECT id FROM reservation WHERE run_id = $1', run.runId);
    expect(rows).toEqual([]);
  });

  it('fails for a model without a price only if the run has a spending limit', async () => {
    const limited = await begin();
    expect(await limited.reserve(null)).toMatchObject({
      outcome: 'refused',
      code: 'unpriced_model',
    });
    const free = await begin({});
    const { id, outcome } = await free.reserve(null);
    expect(outcome).toBe('reserved');
    await free.settle(id, 7);
    expect(await free.held()).toEqual({ spent: 7, reserved: 0 });
  });

  it('becomes one event with its highest cost when it expires, and a late settlement corrects it', async () => {
    const { reserve, settle, held, run, runner, eventsOf, expire } = await begin();
    const { id } = await reserve(90);
    await query(`UPDATE heartbeat_run SET epoch = epoch + 1 WHERE id = $1`, run.runId);
    await runner.end(run).expect(204);
    await expire();
    const expected = { spent: 90, reserved: 0 };
    expect(await held()).toEqual(expected);
    expect(await eventsOf()).toMatchObject([
      { provider: USAGE.provider, model: USAGE.model, costCents: 90, source: 'reservation' },
    ]);
    await expire();
    expect(await held()).toEqual(expected);
    await Promise.all([settle(id, 15), settle(id, 15)]);
    await settle(id, 20);
    await expire();
    expect(await held()).toEqual({ spent: 15, reserved: 0 });
    expect(await eventsOf()).toMatchObject([
      { costCents: 15, inputTokens: USAGE.inputTokens, source: 'gateway' },
    ]);
    const { body } = await harness.api.get(`/api/heartbeat-runs/${run.runId}`);
    expect(body.usage).toMatchObject({ costCents: 15, inputTokens: USAGE.inputTokens });
    await expectSums();
  });

  it('leaves no daily sum of its model when a late settlement names another model', async () => {
    const { companyId, reserve, settle, expire } = await begin();
    const { id } = await reserve(90);
    await query(`UPDATE reservation SET model = 'reserved' WHERE id = $1`, id);
    await expire();
    await settle(id, 15);
    const { rows } = await query(
      'SELECT model, events::int FROM cost_day WHERE company_id = $1',
      companyId,
    );
    expect(rows).toEqual([{ model: USAGE.model, events: 1 }]);
  });

  it('becomes an event even if that of another company cannot be stored', async () => {
    const [broken, other] = [await begin(), await begin()];
    await broken.settle((await broken.reserve(1)).id, 1);
    await broken.reserve(20);
    await other.reserve(30);
    const setSpent = (cents: string) =>
      query(`UPDATE agent_month SET cost_cents = $2 WHERE agent_id = $1`, broken.agent.id, cents);
    await setSpent('9223372036854775807');
    await query(
      `UPDATE reservation SET expires_at = now() - interval '1 hour' WHERE company_id = $1 AND cents > 0`,
      broken.companyId,
    );
    await other.expire();
    expect(await broken.held()).toEqual({ spent: 1, reserved: 20 });
    expect(await other.held()).toEqual({ spent: 30, reserved: 0 });
    await setSpent('1');
    await broken.expire();
    expect(await broken.held()).toEqual({ spent: 21, reserved: 0 });
    await expectSums();
  });

  it('becomes one event when several workers find it expired and its settlement arrives', async () => {
    const { companyId, held, reserve, settle } = await begin({ agent: 10_000 });
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push((await reserve(9)).id);
    await query(
      `UPDATE reservation SET expires_at = now() - interval '1 ms' WHERE company_id = $1`,
      companyId,
    );
    const sweep = () => sweepReservations(harness.context);
    const settleEach = (from: number) =>
      Promise.all(ids.filter((_, n) => n % 3 === from).map((id) => settle(id, 2)));
    await Promise.all([sweep(), settleEach(0), sweep(), settleEach(1), sweep()]);
    expect(await held()).toEqual({ spent: 4 * 9 + 8 * 2, reserved: 0 });
    await settleEach(2);
    expect(await held()).toEqual({ spent: 12 * 2, reserved: 0 });
    await expectSums();
  });

  it.each([
    ['nothing', null, 0, 'idle'],
    ['less', 20, 20, 'idle'],
    ['more', 150, 150, 'paused'],
  ])(
    'pauses the agent when it expires, until its settlement of %s',
    async (_used, cents, spent, status) => {
      const { agent, reserve, settle, held, run, runner, expire } = await begin();
      const { id } = await reserve(100);
      await runner.end(run).expect(204);
      await expire();
      const statusOf = async () =>
        (await harness.api.get(`/api/agents/${agent.id}`).expect(200)).body.status;
      expect(await statusOf()).toBe('paused');
      await settle(id, cents);
      expect(await statusOf()).toBe(status);
      expect(await held()).toEqual({ spent, reserved: 0 });
      await expectSums();
    },
  );

  it('keeps the month of its event when a settlement corrects it', async () => {
    const { agent, reserve, settle, expire } = await begin();
    const { id } = await reserve(90);
    await expire();
    await query(
      `UPDATE cost_event SET created_at = date_trunc('month', created_at) - interval '1 day' WHERE agent_id = $1`,
      agent.id,
    );
    await query(
      `UPDATE agent_month SET month = month - interval '1 month' WHERE agent_id = $1`,
      agent.id,
    );
    await settle(id, 30);
    const { rows } = await query(
      `SELECT cost_cents::int AS cents FROM agent_month WHERE agent_id = $1 AND cost_cents > 0`,
      agent.id,
    );
    expect(rows).toEqual([{ cents: 30 }]);
    expect((await reserve(100)).outcome).toBe('reserved');
  });

  it('never exceeds a budget, even with 16 concurrent callers', async () => {
    const { reserve, settle, held } = await begin({ agent: 1_000, company: 100 });
    const totals: number[] = [];
    const call = async (caller: number) => {
      for (let n = 1; n <= 4; n++) {
        const most = ((caller * 7 + n * 11) % 30) + 1;
        const { id, outcome } = await reserve(most);
        const { spent, reserved } = await held();
        totals.push(spent + reserved);
        if (outcome === 'reserved')
          await settle(id, (caller + n) % 5 === 0 ? null : (most + 1) >> 1);
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, caller) => call(caller)));
    expect(Math.max(...totals)).toBeLessThanOrEqual(100);
    const { spent, reserved } = await held();
    expect(spent).toBeGreaterThan(50);
    expect(reserved).toBe(0);
  });

  it.each<[string, object]>([
    ['id', { id: 'x' }],
    ['cents', { cents: -1 }],
    ['cents', { cents: 0.5 }],
    ['cents', { cents: undefined }],
    ['provider', { provider: '' }],
    ['model', { model: 7 }],
    ['more', { more: 1 }],
  ])('fails with 400 and an error that names %p, given %p', async (field, body) => {
    const { runner, run } = await begin();
    const sent = { id: newId(), cents: 1, provider: 'p', model: null, ...body };
    const { body: refused } = await runner.about(run, 'reserve').send(sent).expect(400);
    expect(JSON.stringify(refused.details)).toContain(field);
  });

  it('cannot be made or settled with an outdated ticket: the response is 409 stale_ticket', async () => {
    const { runner, run, reserve, held } = await begin();
    const other = { ...run, ticket: 'x'.repeat(43) };
    const { body } = await runner.reserve(other, newId(), 1).expect(409);
    expect(body.code).toBe('stale_ticket');
    const { id } = await reserve(10);
    await runner.settle(other, id, 5).expect(204);
    expect(await held()).toEqual({ spent: 0, reserved: 10 });
  });

  it('lets the run end as paused if it exceeds the budget, and the run is retried after the budget is raised', async () => {
    const { agent, runner, run, reserve, take, limit } = await begin();
    expect((await reserve(150)).outcome).toBe('refused');
    await runner.end(run, { status: 'paused', exitCode: 1, error: 'no room' }).expect(204);
    const paused = await harness.api.get(`/api/heartbeat-runs/${run.runId}`).expect(200);
    expect(paused.body).toMatchObject({
      status: 'cancelled',
      errorCode: 'paused_budget',
      error: 'no room',
      exitCode: 1,
    });
    const check = async () => {
      await query(`UPDATE budget_pause SET checked_at = now() - interval '1 hour'`);
      return continuePausedRuns(harness.context);
    };
    expect(await check()).toBe(0);
    await limit(`/api/agents/${agent.id}`, 200);
    expect(await check()).toBe(1);
    expect(await check()).toBe(0);
    const next = await take();
    const { body } = await harness.api.get(`/api/heartbeat-runs/${next.runId}`).expect(200);
    expect(body).toMatchObject({ source: 'retry', retryOfRunId: run.runId });
  });

  it('causes no retry after a refusal unless the run ends as paused', async () => {
    const { runner, run, reserve } = await begin();
    await reserve(150);
    await runner.end(run).expect(204);
    await query(`UPDATE budget_pause SET checked_at = now() - interval '1 hour'`);
    expect(await continuePausedRuns(harness.context)).toBe(0);
    const { rows } = await query('SELECT FROM budget_pause WHERE run_id = $1', run.runId);
    expect(rows).toEqual([]);
  });
});
