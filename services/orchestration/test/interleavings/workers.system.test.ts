import { processWakeup } from '../../src/features/wakes/process-wakeup';
import { claimRun } from '../../src/state/runs/claim-run';
import { finishRun } from '../../src/state/runs/end-run';
import { useOrders } from './orders';
import type { GatedSession } from './sessions';

describe('two interleaved workers', () => {
  const { harness, sql, outcomesOf, runsOf } = useOrders(['a', 'b']);

  async function waitingRun(more: object = {}) {
    const agent = await harness.build.agent(more);
    const { id } = await harness.build.queuedRun(agent.id);
    const run = { id, agentId: agent.id, companyId: agent.companyId };
    const claim = async ({ context, name }: GatedSession) =>
      (await claimRun(context, run, name))?.wakeReasons.length ?? null;
    return { agent, run, claim };
  }

  it('let either a worker end a run with an expired lease, or another worker take it over', async () => {
    const found = await outcomesOf(async () => {
      const { agent, run, claim } = await waitingRun();
      const claimed = await claimRun(harness.context, run, 'w');
      if (!claimed) throw new Error('the run was not claimed');
      await sql(
        `UPDATE heartbeat_run SET lease_expires_at = now() - interval '1 s' WHERE id = $1`,
        run.id,
      );
      const end = ({ context }: GatedSession) =>
        finishRun(context, claimed, { status: 'succeeded', exitCode: 0 });
      return { requests: [end, claim], read: () => runsOf(agent.id) };
    });
    expect(found).toEqual([
      { answers: [false, 1], state: ['running'] },
      { answers: [true, null], state: ['succeeded'] },
    ]);
  });

  it('deliver a wake with the run that starts, or queue another run', async () => {
    const found = await outcomesOf(async () => {
      const { agent, claim } = await waitingRun();
      const issue = await harness.build.issue({ companyId: agent.companyId });
      await harness.api
        .post(`/api/issues/${issue.id}/comments`)
        .send({ body: `@${agent.name} please` })
        .expect(201);
      const [wake] = await sql('SELECT id FROM agent_wakeup WHERE agent_id = $1', agent.id);
      const process = ({ context }: GatedSession) => processWakeup(context, wake.id);
      return { requests: [claim, process], read: () => runsOf(agent.id) };
    });
    expect(found).toEqual([
      { answers: [1, null], state: ['queued', 'running'] },
      { answers: [2, null], state: ['running'] },
    ]);
  });

  it('let only one of two workers start a run of two agents that share a limit of 1', async () => {
    const found = await outcomesOf(async () => {
      const one = await waitingRun({ limitKeys: ['deploy'] });
      const { companyId } = one.agent;
      const two = await waitingRun({ companyId, limitKeys: ['other', 'deploy'] });
      const path = `/api/companies/${companyId}/run-limits`;
      for (const key of ['deploy', 'other']) {
        await harness.api.post(path).send({ key, maxRunning: 1 }).expect(201);
      }
      return {
        requests: [one.claim, two.claim],
        read: async () => [...(await runsOf(one.agent.id)), ...(await runsOf(two.agent.id))],
      };
    });
    expect(found).toEqual([
      { answers: [1, null], state: ['running', 'queued'] },
      { answers: [null, 1], state: ['queued', 'running'] },
    ]);
  });
});
