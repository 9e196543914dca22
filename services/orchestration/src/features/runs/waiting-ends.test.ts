import type { ActivityView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

describe('a waiting run that is cancelled', () => {
  const harness = useHarness();

  const waiting = async () => {
    const agent = await harness.build.agent();
    const { id } = await harness.build.queuedRun(agent.id);
    return { agent, id };
  };
  const counted = async () => {
    const { values } = await harness.context.metrics.runsFinished.get();
    return values.find(({ labels }) => labels.status === 'cancelled')?.value ?? 0;
  };
  const endsOf = async (companyId: string, entityId: string) => {
    const { body } = await harness.api
      .get(`/api/companies/${companyId}/activity`)
      .query({ entityType: 'heartbeat_run', entityId });
    return (body as ActivityView[]).filter(({ action }) => action === 'heartbeat.cancelled');
  };
  const ENDINGS = {
    cancelled: ({ id }: { id: string; agent: { id: string; companyId: string } }) =>
      harness.api.post(`/api/heartbeat-runs/${id}/cancel`),
    agent_paused: ({ agent }: { agent: { id: string } }) =>
      harness.api.post(`/api/agents/${agent.id}/pause`),
    agent_terminated: ({ agent }: { agent: { id: string } }) =>
      harness.api.post(`/api/agents/${agent.id}/terminate`),
    company_archived: ({ agent }: { agent: { companyId: string } }) =>
      harness.api.post(`/api/companies/${agent.companyId}/archive`),
  };

  it.each(Object.keys(ENDINGS) as (keyof typeof ENDINGS)[])(
    'ends with one activity entry and is counted once: %s',
    async (errorCode) => {
      const run = await waiting();
      const before = await counted();
      await ENDINGS[errorCode](run).expect(200);
      expect(await counted()).toBe(before + 1);
      expect(await endsOf(run.agent.companyId, run.id)).toMatchObject([
        {
          actorType: 'system',
          runId: run.id,
          details: { agentId: run.agent.id, exitCode: null, errorCode },
        },
      ]);
      const { body } = await harness.api.get(`/api/heartbeat-runs/${run.id}`);
      expect(body).toMatchObject({ status: 'cancelled', errorCode });
      expect(body.finishedAt).not.toBeNull();
    },
  );

  it('ends only once even if it is cancelled concurrently', async () => {
    const { agent, id } = await waiting();
    const before = await counted();
    const cancel = () => harness.api.post(`/api/heartbeat-runs/${id}/cancel`);
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, cancel),
      harness.api.post(`/api/agents/${agent.id}/pause`),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await counted()).toBe(before + 1);
    expect(await endsOf(agent.companyId, id)).toHaveLength(1);
  });
});
