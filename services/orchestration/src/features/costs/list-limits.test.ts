import { type SpendingLimitView, spendingLimit } from '@switchyard/types';
import { z } from 'zod';
import { useHarness } from '../../../test/harness';
import { walkPages } from '../../../test/walk-pages';

const COST = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };

describe('GET /api/companies/{companyId}/costs/limits', () => {
  const harness = useHarness();

  const spend = ({ id, companyId }: { id: string; companyId: string }, costCents: number) =>
    harness.api
      .post(`/api/companies/${companyId}/cost-events`)
      .send({ ...COST, agentId: id, costCents })
      .expect(201);
  const list = async (companyId: string, query = '') =>
    z
      .array(spendingLimit.strict())
      .parse(
        (await harness.api.get(`/api/companies/${companyId}/costs/limits?${query}`).expect(200))
          .body,
      );
  const staff = async (companyBudget: number, of: readonly [budget: number, spent: number][]) => {
    const { build } = harness;
    const { id: companyId } = await build.company({ budgetMonthlyCents: companyBudget });
    const agents = [];
    for (const [budgetMonthlyCents, spent] of of) {
      const agent = await build.agent({ companyId, budgetMonthlyCents });
      if (spent > 0) await spend(agent, spent);
      agents.push(agent);
    }
    return { companyId, agents };
  };

  it('lists agents near or at a limit, highest utilization first', async () => {
    const { companyId, agents } = await staff(2_000, [
      [100, 79],
      [100, 80],
      [0, 900],
      [100, 300],
      [100, 100],
      [100, 99],
      [100, 0],
    ]);
    const found = await list(companyId);
    expect(found.map(({ id, level }) => [id, level])).toEqual([
      [agents[3]?.id, 'at_limit'],
      [agents[4]?.id, 'at_limit'],
      [agents[5]?.id, 'near'],
      [agents[1]?.id, 'near'],
    ]);
    expect(found[0]).toMatchObject({
      scope: 'agent',
      name: agents[3]?.name,
      spendCents: 300,
      budgetCents: 100,
      utilizationPercent: 300,
      burnRateCentsPerDay: 300,
    });
    expect(found[0]?.endsOn).toMatch(/^\d{4}-\d\d-\d\d$/);
    const everybody = await list(companyId, 'includeOk=true');
    expect(everybody.slice(0, 4)).toEqual(found);
    expect(everybody.slice(4).map(({ id, scope, level }) => [id, scope, level])).toEqual([
      [companyId, 'company', 'ok'],
      [agents[0]?.id, 'agent', 'ok'],
      [agents[6]?.id, 'agent', 'ok'],
    ]);
    expect(everybody.at(-1)).toMatchObject({ spendCents: 0, utilizationPercent: 0, endsOn: null });
  });

  it('lists the company before agents with the same utilization', async () => {
    const { companyId, agents } = await staff(100, [
      [10, 50],
      [0, 50],
    ]);
    expect((await list(companyId)).map(({ id }) => id)).toEqual([companyId, agents[0]?.id]);
  });

  it('does not list terminated agents or agents without a budget', async () => {
    const { companyId, agents } = await staff(0, [
      [100, 100],
      [100, 90],
    ]);
    await harness.api.post(`/api/agents/${agents[0]?.id}/terminate`).expect(200);
    const lifted = { budgetMonthlyCents: 0 };
    await harness.api.patch(`/api/agents/${agents[1]?.id}`).send(lifted).expect(200);
    expect(await list(companyId, 'includeOk=true')).toEqual([]);
  });

  it('lists no limit that was reached in an earlier month', async () => {
    const { companyId } = await staff(100, [[100, 100]]);
    await harness.context.db.pool.query(
      `UPDATE agent_month SET month = month - interval '1 month' WHERE company_id = $1`,
      [companyId],
    );
    expect(await list(companyId)).toEqual([]);
  });

  it('returns each row only once across pages, even if rows have equal utilization', async () => {
    const { companyId } = await staff(
      100,
      Array.from({ length: 7 }, (_, n) => [100, n < 4 ? 100 : 10 * n] as const).map(([b, s]) => [
        b,
        s,
      ]),
    );
    const path = `/api/companies/${companyId}/costs/limits?includeOk=true`;
    const whole = await list(companyId, 'includeOk=true');
    expect(whole).toHaveLength(8);
    for (const limit of [1, 2, 3, 7]) {
      expect(await walkPages<SpendingLimitView>(harness, path, limit)).toEqual(whole);
    }
  });

  it('returns only numbers that JSON can represent exactly', async () => {
    const { companyId } = await staff(1, [[1, 1_000_000_000_000]]);
    for (const row of await list(companyId)) {
      expect(row.utilizationPercent).toBe(100_000_000_000_000);
    }
    expect(await walkPages(harness, `/api/companies/${companyId}/costs/limits`, 1)).toHaveLength(2);
  });

  it('returns the same values as the cost reports', async () => {
    const { companyId } = await staff(200, [
      [100, 85],
      [500, 100],
    ]);
    const at = `/api/companies/${companyId}/costs`;
    const limits = await list(companyId, 'includeOk=true');
    const { body: summary } = await harness.api.get(`${at}/summary`).expect(200);
    const { body: agents } = await harness.api.get(`${at}/by-agent`).expect(200);
    const company = limits.find(({ scope }) => scope === 'company');
    for (const field of ['spendCents', 'utilizationPercent', 'endsOn'] as const) {
      expect(company?.[field]).toBe(summary[field]);
    }
    for (const agent of agents) {
      const row = limits.find(({ id }) => id === agent.agentId);
      expect([row?.spendCents, row?.utilizationPercent, row?.endsOn]).toEqual([
        agent.costCents,
        agent.utilizationPercent,
        agent.endsOn,
      ]);
    }
  });

  it.each([
    ['includeOk=yes', 'includeOk'],
    ['limit=0', 'limit'],
    ['month=2026-01', 'month'],
    ['cursor=x', 'cursor'],
  ])('rejects %s', async (query, field) => {
    const { id } = await harness.build.company();
    const { body } = await harness.api.get(`/api/companies/${id}/costs/limits?${query}`);
    expect(body).toMatchObject({ code: 'validation_error', details: [{ path: [field] }] });
  });
});
