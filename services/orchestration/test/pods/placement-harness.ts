import { until } from '@switchyard/testing';
import type { HeartbeatRunView } from '@switchyard/types';
import type { Manifest } from '../../../../k8s/test/manifest';
import { startPodPlacement } from '../../src/features/pods/start-placement';
import type { PodSettings } from '../../src/settings/pod-settings';
import type { Harness } from '../harness';
import { type Kubelet, type ScriptedCluster, startScriptedCluster } from './scripted-cluster';

export const idleKubelet = (): Kubelet => ({
  start: () => {
    let leave: (end: { exitCode: number }) => void = () => undefined;
    const ended = new Promise<{ exitCode: number }>((resolve) => {
      leave = resolve;
    });
    const kill = () => leave({ exitCode: 137 });
    return { ended, stop: kill, kill };
  },
});

export function usePlacement(harness: Harness, kubelet: () => Kubelet, podTemplates?: Manifest[]) {
  const holder = {} as { cluster: ScriptedCluster };
  const placements: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    holder.cluster = await startScriptedCluster(kubelet(), podTemplates);
  });
  afterEach(async () => {
    await Promise.all(placements.splice(0).map((one) => one.close()));
    const { findings } = holder.cluster;
    await holder.cluster.close();
    await harness.db.heartbeatRun.updateMany({
      where: { status: { in: ['queued', 'running'] } },
      data: { status: 'cancelled', finishedAt: new Date() },
    });
    expect(findings).toEqual([]);
  });

  const run = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200)).body as HeartbeatRunView;

  return {
    get cluster() {
      return holder.cluster;
    },
    place: (more: Partial<PodSettings> = {}) => {
      const pods = holder.cluster.settings(more);
      const config = { ...harness.config, pods, sweepMs: 20 };
      const placement = startPodPlacement({ ...harness.context, config });
      placements.push(placement);
      return placement;
    },
    queue: async (adapterConfig: Record<string, unknown> = { command: 'true' }) => {
      const agent = await harness.build.agent({ adapterType: 'process', adapterConfig });
      const { id } = await harness.build.queuedRun(agent.id);
      return id;
    },
    run,
    row: (id: string) => harness.db.heartbeatRun.findUniqueOrThrow({ where: { id } }),
    log: async (id: string) =>
      (await harness.api.get(`/api/heartbeat-runs/${id}/log`).expect(200)).body.content as string,
    reaches: async (id: string, status: string, deadlineMs?: number) => {
      await until('the end of the run', async () => (await run(id)).status === status, deadlineMs);
      return run(id);
    },
    podOf: (id: string, epoch: number) => `run-${id}-${epoch}`,
  };
}
