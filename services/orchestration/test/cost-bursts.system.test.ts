import { until } from '@switchyard/testing';
import type { AgentDetailView } from '@switchyard/types';
import { sweepBudgets } from '../src/features/costs/sweep-budgets';
import { systemCall } from '../src/kernel/call';
import { recordUsage } from '../src/state/costs/record-usage';
import { rehint } from '../src/state/rehint';
import { type ApiProcess, startApiProcess } from './api-process';
import { openAsker, type Reply } from './ask';
import { findViolations } from './find-violations';
import { useHarness } from './harness';
import { startWorkers } from './runner';
import { SUCCEEDED } from './scripted-adapter';

const CLIENTS = 64;

const CENTS = `
  SELECT (SELECT coalesce(sum(cost_cents), 0)::int FROM cost_event WHERE company_id = $1) AS events,
    (SELECT count(*)::int FROM cost_event WHERE company_id = $1) AS count,
    (SELECT coalesce(sum(cost_cents), 0)::int FROM agent_month WHERE company_id = $1) AS months`;

const SAID = `
  SELECT entity_id, action, count(*)::int AS times, min((details->>'spendCents')::int) AS spend
  FROM activity WHERE company_id = $1
    AND action IN ('budget.soft_alert', 'budget.hard_stop', 'agent.paused')
  GROUP BY 1, 2`;

const STARTED_LATE = `
  SELECT r.id FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
  LEFT JOIN company_month c ON c.company_id = r.company_id
  WHERE r.company_id = $1
    AND r.started_at > least(a.paused_at, c.hard_stopped_at)`;

describe('concurrent cost events', () => {
  const harness = useHarness();
  const asked: ReturnType<typeof openAsker>[] = [];
  const processes: ApiProcess[] = [];

  afterEach(async () => {
    for (const asker of asked.splice(0)) await asker.close();
    for (const api of processes.splice(0)) {
      api.signal('SIGKILL');
      await api.ended;
    }
  });

  const asker = (url: string) => {
    const opened = openAsker(url);
    asked.push(opened);
    return opened.ask;
  };
  const rows = async (sql: string, companyId: string) =>
    (await harness.context.db.pool.query(sql, [companyId])).rows;
  const saidOf = async (companyId: string, entityId: string) => {
    const all = await rows(SAID, companyId);
    const own = all.filter((row) => row.entity_id === entityId);
    return Object.fromEntries(own.map((row) => [row.action, row]));
  };

  const post = async (
    urls: () => string,
    agents: AgentDetailView[],
    costCents: number,
    eventsOfEach: number,
  ): Promise<{ answered: Set<string>; replies: Reply[] }> => {
    const replies: Reply[] = [];
    const asks = new Map<string, ReturnType<typeof asker>>();
    const client = async (which: number) => {
      for (let n = 0; n < eventsOfEach; n++) {
        const agent = agents[(which + n) % agents.length] as AgentDetailView;
        const url = urls();
        const ask = asks.get(url) ?? asker(url);
        asks.set(url, ask);
        const cost = { provider: 'p', model: 'm', inputTokens: 2, outputTokens: 1, costCents };
        const question = {
          method: 'POST',
          path: `/api/companies/${agent.companyId}/cost-events`,
          body: { ...cost, agentId: agent.id },
        };
        const reply = await ask(question).catch(() => null);
        if (reply) replies.push(reply);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, which) => client(which)));
    const created = replies.filter((reply) => reply.status === 201);
    return {
      replies,
      answered: new Set(created.map((reply) => (reply.body as { id: string }).id)),
    };
  };

  it('cause one alert, one stop and one pause, and add up to the spend of the agent', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 1_000 });
    const { companyId } = agent;
    const begin = performance.now();
    const { answered } = await post(() => harness.url, [agent], 2, 10);
    process.stdout.write(`640 events in ${Math.round(performance.now() - begin)} ms\n`);
    expect(answered.size).toBe(640);
    expect(await rows(CENTS, companyId)).toEqual([{ events: 1_280, count: 640, months: 1_280 }]);
    expect(await saidOf(companyId, agent.id)).toMatchObject({
      'budget.soft_alert': { times: 1, spend: 800 },
      'budget.hard_stop': { times: 1, spend: 1_000 },
      'agent.paused': { times: 1 },
    });
  });

  it('cause the alert and the stop of a company exactly at the thresholds, even if it has many agents', async () => {
    const company = await harness.build.company({ budgetMonthlyCents: 2_000 });
    const agents: AgentDetailView[] = [];
    for (let n = 0; n < 20; n++) agents.push(await harness.build.agent({ companyId: company.id }));
    const { answered } = await post(() => harness.url, agents, 5, 8);
    expect(answered.size).toBe(512);
    expect(await rows(CENTS, company.id)).toEqual([{ events: 2_560, count: 512, months: 2_560 }]);
    // No row stores the company's total, but the event that reaches the limit must report it.
    const said = await saidOf(company.id, company.id);
    expect(said['budget.soft_alert']).toMatchObject({ times: 1, spend: 1_600 });
    expect(said['budget.hard_stop']).toMatchObject({ times: 1, spend: 2_000 });
  });

  it.each(['agent', 'company'] as const)(
    'prevent every further run after the budget of the %s is spent',
    async (owner) => {
      const limit = 1_000;
      const { build, scripted, context, api } = harness;
      const company = await build.company({
        budgetMonthlyCents: owner === 'company' ? limit * 20 : 0,
      });
      const agents: AgentDetailView[] = [];
      for (let n = 0; n < 20; n++) {
        const agent = await build.agent({
          companyId: company.id,
          budgetMonthlyCents: owner === 'agent' ? limit : 0,
          maxConcurrentRuns: 5,
        });
        scripted.on(agent.id, () => SUCCEEDED);
        agents.push(agent);
      }
      const [first] = agents as [AgentDetailView];
      const path = `/api/companies/${company.id}/cost-events`;
      const cost = { provider: 'p', model: 'm', inputTokens: 0, outputTokens: 0 };
      for (const agent of agents) {
        await api
          .post(path)
          .send({ ...cost, agentId: agent.id, costCents: limit - 1 })
          .expect(201);
      }
      const workers = [startWorkers(context), startWorkers(context)];
      let crossed = false;
      const wakes = agents.map(async (agent) => {
        const invoke = `/api/agents/${agent.id}/heartbeat/invoke`;
        while (!crossed) await api.post(invoke).send({});
        for (let n = 0; n < 3; n++) await api.post(invoke).send({});
      });
      await until('the first runs', () =>
        harness.db.heartbeatRun.findFirst({
          where: { companyId: company.id, startedAt: { not: null } },
        }),
      );
      await Promise.all(
        agents.map(async (agent) => {
          for (let n = 0; n < 10; n++) {
            await api
              .post(path)
              .send({ ...cost, agentId: agent.id, costCents: 1 })
              .expect(201);
          }
        }),
      );
      crossed = true;
      await Promise.all(wakes);
      await rehint(context, 'heartbeat-runs');
      for (const each of workers) await each.close({ handOverAfterMs: 0 });
      await harness.drain();
      const started = await harness.db.heartbeatRun.count({
        where: { companyId: company.id, startedAt: { not: null } },
      });
      expect(started).toBeGreaterThan(0);
      expect(await rows(STARTED_LATE, company.id)).toEqual([]);
      const stopped = await api.post(`/api/agents/${first.id}/heartbeat/invoke`).send({});
      expect(stopped.body.details.reason).toBe(`${owner}_budget`);
      const entities = owner === 'agent' ? agents : [company];
      for (const { id } of entities) {
        expect(await saidOf(company.id, id)).toMatchObject({ 'budget.hard_stop': { times: 1 } });
      }
      const open = await harness.db.heartbeatRun.count({
        where: { companyId: company.id, status: { in: ['queued', 'running'] } },
      });
      expect(open).toBe(0);
    },
    90_000,
  );

  it('cause no deadlock with usage reports, wakes, pauses and budget changes', async () => {
    const { build, api, context } = harness;
    const company = await build.company({ budgetMonthlyCents: 500 });
    const agents = [
      await build.agent({ companyId: company.id, budgetMonthlyCents: 300 }),
      await build.agent({ companyId: company.id, budgetMonthlyCents: 300, maxConcurrentRuns: 4 }),
    ];
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, n) => build.liveRun(agents[n % 2] as AgentDetailView)),
    );
    const usage = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1, costCents: 1 };
    const budget = (path: string, n: number) => () =>
      api.patch(path).send({ budgetMonthlyCents: 200 + ((n * 97) % 900) });
    const works = Array.from({ length: 320 }, (_, n) => {
      const agent = agents[n % 2] as AgentDetailView;
      const run = runs[n % 8] as (typeof runs)[number];
      const claim = { id: run.id, agentId: run.agent.id, epoch: 1 };
      const path = `/api/agents/${agent.id}`;
      const kinds = [
        () => recordUsage(systemCall(context, company.id), claim, usage, 'agent'),
        () =>
          api
            .post(`/api/companies/${company.id}/cost-events`)
            .send({ ...usage, agentId: agent.id }),
        budget(path, n),
        () => api.post(`${path}/heartbeat/invoke`).send({}),
        budget(`/api/companies/${company.id}`, n),
        () => api.post(`${path}/${n % 3 ? 'resume' : 'pause'}`),
        () => api.post(`/api/companies/${company.id}/issues`).send({ title: 'T' }),
        () => sweepBudgets(context),
      ];
      return kinds[Math.floor(n / 2) % kinds.length] as () => PromiseLike<unknown>;
    });
    const statuses = new Map<unknown, number>();
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let work = works.pop(); work; work = works.pop()) {
          const answer = await work();
          const status = (answer as { status?: number }).status ?? 'stored';
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    const expected = [200, 201, 202, 409, 'stored'];
    expect([...statuses.keys()].filter((status) => !expected.includes(status as number))).toEqual(
      [],
    );
    const [sums] = await rows(CENTS, company.id);
    expect(sums).toEqual({ events: sums.count, count: sums.count, months: sums.count });
  });

  it('cause every alert and stop exactly at its threshold, even if API processes are killed', async () => {
    const { build, config } = harness;
    const company = await build.company({ budgetMonthlyCents: 3_000 });
    const agents = [
      await build.agent({ companyId: company.id, budgetMonthlyCents: 1_000 }),
      await build.agent({ companyId: company.id, budgetMonthlyCents: 1_000 }),
    ];
    for (let round = 0; round < 2; round++) {
      processes.push(await startApiProcess(config), await startApiProcess(config));
    }
    const living = [...processes];
    const total = async () => (await rows(CENTS, company.id))[0].events as number;
    let at = 0;
    const posting = post(() => (living[at++ % living.length] as ApiProcess).url, agents, 5, 16);
    for (const threshold of [700, 1_500, 2_300]) {
      while ((await total()) < threshold) await new Promise(setImmediate);
      const victim = living.shift() as ApiProcess;
      victim.signal('SIGKILL');
      await victim.ended;
    }
    const { answered } = await posting;
    const [sums] = await rows(CENTS, company.id);
    expect(sums.months).toBe(sums.events);
    expect(sums.events).toBeGreaterThan(3_000);
    const stored = await harness.db.costEvent.findMany({
      where: { companyId: company.id },
      select: { id: true },
    });
    const known = new Set(stored.map((event) => event.id));
    expect([...answered].filter((id) => !known.has(id))).toEqual([]);
    for (const agent of agents) {
      expect(await saidOf(company.id, agent.id)).toMatchObject({
        'budget.soft_alert': { times: 1, spend: 800 },
        'budget.hard_stop': { times: 1, spend: 1_000 },
        'agent.paused': { times: 1 },
      });
    }
    expect(await saidOf(company.id, company.id)).toMatchObject({
      'budget.soft_alert': { times: 1, spend: 2_400 },
      'budget.hard_stop': { times: 1, spend: 3_000 },
    });
  });

  it('leave the invariants intact', async () => {
    expect(await findViolations(harness.context.db.pool)).toEqual({});
  });
});
