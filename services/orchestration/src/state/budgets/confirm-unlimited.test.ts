import type { ConfigRevisionView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';

const BUDGET = { budgetMonthlyCents: 100 };
const COST = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };

describe('confirmUnlimited', () => {
  const harness = useHarness();

  const spend = ({ id, companyId }: { id: string; companyId: string }, costCents: number) =>
    harness.api.post(`/api/companies/${companyId}/cost-events`).send({
      ...COST,
      agentId: id,
      costCents,
    });
  const setBudget = (path: string, body: object) => harness.api.patch(path).send(body);
  const expectRefused = async (request: () => ReturnType<typeof setBudget>) => {
    const before = await everything(harness);
    const { status, body } = await request();
    expect([status, body.code]).toEqual([409, 'confirmation_required']);
    expect(body.error).toMatch(/confirmUnlimited: true/);
    expect(body.details).toEqual({ field: 'confirmUnlimited', retry: false });
    expect(await everything(harness)).toEqual(before);
  };
  const limited = async (scope: 'agent' | 'company') => {
    const { build } = harness;
    const { id: companyId } = await build.company(scope === 'company' ? BUDGET : {});
    const agent = await build.agent({ companyId, ...(scope === 'agent' && BUDGET) });
    const path = scope === 'agent' ? `/api/agents/${agent.id}` : `/api/companies/${companyId}`;
    return { agent, path };
  };

  describe.each(['agent', 'company'] as const)('the budget of the %s', (scope) => {
    it('can be set to 0 after it is spent, but only with confirmUnlimited', async () => {
      const { agent, path } = await limited(scope);
      await spend(agent, 100).expect(201);
      await expectRefused(() => setBudget(path, { budgetMonthlyCents: 0 }));
      const unconfirmed = { budgetMonthlyCents: 0, confirmUnlimited: false };
      await expectRefused(() => setBudget(path, unconfirmed));
      const confirmed = { budgetMonthlyCents: 0, confirmUnlimited: true };
      const { body } = await setBudget(path, confirmed).expect(200);
      expect(body).toMatchObject({ budgetMonthlyCents: 0, spentMonthlyCents: 100 });
      expect(body).not.toHaveProperty('confirmUnlimited');
      await harness.api.post(`/api/agents/${agent.id}/heartbeat/invoke`).send({}).expect(202);
    });

    it('needs no confirmation to become unlimited while it is not spent, or to be raised', async () => {
      const { agent, path } = await limited(scope);
      await spend(agent, 99).expect(201);
      await setBudget(path, { budgetMonthlyCents: 0 }).expect(200);
      await setBudget(path, { budgetMonthlyCents: 0, confirmUnlimited: true }).expect(200);
      await setBudget(path, { budgetMonthlyCents: 100 }).expect(200);
      await spend(agent, 1).expect(201);
      await setBudget(path, { budgetMonthlyCents: 200 }).expect(200);
      await setBudget(path, { budgetMonthlyCents: 0 }).expect(200);
      await setBudget(path, { confirmUnlimited: true }).expect(200);
      await setBudget(path, { budgetMonthlyCents: 50, confirmUnlimited: true }).expect(200);
      await expectRefused(() => setBudget(path, { budgetMonthlyCents: 0 }));
    });

    it('cannot be changed with a confirmation that is not a boolean', async () => {
      const { path } = await limited(scope);
      for (const confirmUnlimited of [null, 'true', 1, {}]) {
        const { body } = await setBudget(path, { confirmUnlimited }).expect(400);
        expect(body.details[0].path).toEqual(['confirmUnlimited']);
      }
    });

    it('becomes unlimited, or stays limited with a hard stop, if it is spent concurrently', async () => {
      for (let round = 0; round < 8; round++) {
        const { agent, path } = await limited(scope);
        await spend(agent, 99).expect(201);
        const [changed] = await Promise.all([
          setBudget(path, { budgetMonthlyCents: 0 }),
          spend(agent, 1).expect(201),
        ]);
        const { body: now } = await harness.api.get(path);
        const stops = await harness.db.activity.count({
          where: { companyId: agent.companyId, action: 'budget.hard_stop' },
        });
        expect(now.spentMonthlyCents).toBe(100);
        expect([200, 409]).toContain(changed.status);
        const first = changed.status === 200 ? [0, 0] : [100, 1];
        expect([now.budgetMonthlyCents, stops]).toEqual(first);
      }
    });
  });

  it('may be omitted if the budget was spent in an earlier month', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    await spend(agent, 100).expect(201);
    await harness.context.db.pool.query(
      `UPDATE agent_month SET month = month - interval '1 month' WHERE agent_id = $1`,
      [agent.id],
    );
    await setBudget(`/api/agents/${agent.id}`, { budgetMonthlyCents: 0 }).expect(200);
  });

  it('may be omitted for other changes, and does not appear in the configuration', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    await spend(agent, 100).expect(201);
    const path = `/api/agents/${agent.id}`;
    await setBudget(path, { title: 'Lead' }).expect(200);
    await setBudget(path, { title: 'Chief', confirmUnlimited: true }).expect(200);
    const { body } = await harness.api.get(`${path}/config-revisions`).expect(200);
    expect(body.map((row: ConfigRevisionView) => row.changedKeys).slice(0, 2)).toEqual([
      ['title'],
      ['title'],
    ]);
    expect(body[0].after).not.toHaveProperty('confirmUnlimited');
  });

  it('must be sent for a rollback to an unlimited budget', async () => {
    const agent = await harness.build.agent();
    const path = `/api/agents/${agent.id}`;
    await setBudget(path, { budgetMonthlyCents: 100 }).expect(200);
    await spend(agent, 100).expect(201);
    const { body: revisions } = await harness.api.get(`${path}/config-revisions`).expect(200);
    const first = revisions.at(-1) as ConfigRevisionView;
    const rollback = () => harness.api.post(`${path}/config-revisions/${first.id}/rollback`);
    await expectRefused(() => rollback());
    const { body } = await rollback().send({ confirmUnlimited: true }).expect(200);
    expect(body).toMatchObject({ budgetMonthlyCents: 0, status: 'idle' });
  });

  it('can be sent only by the board', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    const authorization = await harness.build.apiKey(agent.id);
    const { status, body } = await setBudget(`/api/agents/${agent.id}`, {
      confirmUnlimited: true,
    }).set('Authorization', authorization);
    expect([status, body.code, body.details]).toEqual([
      403,
      'board_only',
      { field: 'confirmUnlimited' },
    ]);
  });
});
