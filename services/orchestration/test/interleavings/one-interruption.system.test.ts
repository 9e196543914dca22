import { checkoutIssue } from '../../src/features/issues/checkout-issue';
import { releaseIssue } from '../../src/features/issues/release-issue';
import { systemCall } from '../../src/kernel/call';
import { recordCost } from '../../src/state/costs/record-cost';
import type { Cost } from '../../src/state/costs/write-cost';
import { claimRun } from '../../src/state/runs/claim-run';
import { useOrders } from './orders';
import type { GatedSession } from './sessions';

const COST: Omit<Cost, 'companyId' | 'agentId'> = {
  runId: null,
  epoch: null,
  issueId: null,
  projectId: null,
  provider: 'anthropic',
  model: 'm',
  inputTokens: 0,
  outputTokens: 0,
  costCents: 90,
  source: 'board',
  disputedCents: 0,
  occurredAt: null,
  idempotency: null,
  by: null,
};

const MOST_SWITCHES = 1;

describe('requests that interrupt one another once', () => {
  const { harness, sql, outcomesOf, read, runsOf } = useOrders(['a', 'b', 'c']);

  it('let only one of two checkouts succeed while the holder releases the issue', async () => {
    const found = await outcomesOf(async () => {
      const holder = await harness.build.liveRun();
      const { companyId } = holder.agent;
      const [one, two] = [
        await harness.build.liveRun({ companyId }),
        await harness.build.liveRun({ companyId }),
      ];
      const { id } = await harness.build.issue({ companyId, status: 'todo' });
      const callOf = (run: typeof holder, { context }: Pick<GatedSession, 'context'>) => ({
        ...systemCall(context, companyId),
        ...{
          actor: { type: 'agent', agentId: run.agent.id, companyId, via: 'run_token' } as const,
        },
        runId: run.id,
      });
      const checkout = (run: typeof holder) => (session: Pick<GatedSession, 'context'>) =>
        checkoutIssue(callOf(run, session), id, {
          agentId: run.agent.id,
          expectedStatuses: ['todo'],
        }).then(
          () => 'claimed',
          ({ code }) => code,
        );
      await checkout(holder)(harness);
      const release = (session: GatedSession) =>
        releaseIssue(callOf(holder, session), id).then(() => 'released');
      return {
        requests: [release, checkout(one), checkout(two)],
        read: async () => {
          const { status, checkoutRunId } = await read(`/api/issues/${id}`);
          return [status, { [one.id]: 'one', [two.id]: 'two' }[checkoutRunId] ?? null];
        },
      };
    }, MOST_SWITCHES);
    expect(found).toEqual([
      { answers: ['released', 'checked_out', 'checked_out'], state: ['todo', null] },
      { answers: ['released', 'checked_out', 'claimed'], state: ['in_progress', 'two'] },
      { answers: ['released', 'claimed', 'checked_out'], state: ['in_progress', 'one'] },
    ]);
  });

  it('start no run after the cost event that spends the company’s budget', async () => {
    const found = await outcomesOf(async () => {
      const agent = await harness.build.agent();
      const { companyId } = agent;
      const { id } = await harness.build.queuedRun(agent.id);
      const claim = async ({ context, name }: GatedSession) =>
        (await claimRun(context, { id, agentId: agent.id, companyId }, name)) !== null;
      await harness.api
        .patch(`/api/companies/${companyId}`)
        .send({ budgetMonthlyCents: 100 })
        .expect(200);
      const spend =
        ({ id: agentId }: { id: string }) =>
        async ({ context }: Pick<GatedSession, 'context'>) => {
          const cost = { ...COST, companyId, agentId };
          return (await recordCost(systemCall(context, companyId), cost)) !== 'outdated';
        };
      const one = await harness.build.agent({ companyId });
      const two = await harness.build.agent({ companyId });
      await spend(one)(harness);
      return {
        requests: [spend(two), claim],
        read: async () => {
          const [{ late }] = await sql(
            `SELECT r.started_at > m.hard_stopped_at AS late FROM heartbeat_run r
             JOIN company_month m USING (company_id) WHERE r.id = $1`,
            id,
          );
          return { late, runs: await runsOf(agent.id) };
        },
      };
    }, MOST_SWITCHES);
    expect(found).toEqual([
      { answers: [true, false], state: { late: null, runs: ['cancelled'] } },
      { answers: [true, true], state: { late: false, runs: ['running'] } },
    ]);
  });
});
