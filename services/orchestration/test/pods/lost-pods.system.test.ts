import { until } from '@switchyard/testing';
import { listPlacedRuns, loseRun } from '../../src/state/runs/claims/pod-claims';
import { useHarness } from '../harness';
import { WITH_RUNNERS } from '../runner-client';
import { idleKubelet, usePlacement } from './placement-harness';

const EVICTED = 'The node was low on resource: memory.';
const PULL = {
  phase: 'Pending',
  containerStatuses: [
    {
      name: 'runner',
      state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } },
    },
  ],
};
const UNSCHEDULABLE = {
  phase: 'Pending',
  conditions: [
    { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' },
  ],
};

describe('a run whose pod fails, disappears or waits', () => {
  const harness = useHarness({ config: { runner: { ...WITH_RUNNERS.runner, leaseMs: 1_000 } } });
  const placement = usePlacement(harness, idleKubelet);
  const { place, queue, row, reaches, podOf, log } = placement;
  const isThere = (name: string) => until('the pods', () => placement.cluster.pods.has(name));
  const runs = (name: string) =>
    until('a pod that runs', () => placement.cluster.pods.get(name)?.status.phase === 'Running');
  const begin = async () => {
    place();
    const id = await queue();
    await runs(podOf(id, 1));
    return id;
  };

  it('loses an attempt if the pod ran out of memory, and fails after the last attempt', async () => {
    const id = await begin();
    const killed = (reason: string) => ({
      containerStatuses: [{ name: 'runner', state: { terminated: { exitCode: 137, reason } } }],
    });
    placement.cluster.killPod(podOf(id, 1), killed('OOMKilled'));
    await runs(podOf(id, 2));
    expect(await row(id)).toMatchObject({ attempt: 2, epoch: 2, status: 'running' });
    expect(await log(id)).toContain('the run pod was lost: OOMKilled (exit code 137)');
    await harness.db.heartbeatRun.update({ where: { id }, data: { attempt: 3 } });
    placement.cluster.killPod(podOf(id, 2), killed('OOMKilled'));
    expect(await reaches(id, 'failed')).toMatchObject({
      errorCode: 'worker_lost',
      error: expect.stringContaining('OOMKilled (exit code 137)'),
    });
    await until(
      'the tickets',
      () => placement.cluster.pods.size === 0 && placement.cluster.secrets.size === 0,
    );
  });

  it.each([
    ['an eviction by its node', { reason: 'Evicted', message: EVICTED }],
    [
      'a drain',
      {
        conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }],
        containerStatuses: [
          { name: 'runner', state: { terminated: { exitCode: 137, reason: 'Error' } } },
        ],
      },
    ],
  ])('restarts without losing an attempt if the cause is %s', async (_, status) => {
    const id = await begin();
    placement.cluster.killPod(podOf(id, 1), status);
    await runs(podOf(id, 2));
    expect(await row(id)).toMatchObject({ attempt: 1, epoch: 2 });
  });

  it('loses no attempt in the first ten evictions, and fails after three further evictions', async () => {
    const id = await begin();
    for (let losses = 1; losses <= 12; losses++) {
      placement.cluster.killPod(podOf(id, losses), { reason: 'Evicted', message: EVICTED });
      await runs(podOf(id, losses + 1));
      const attempt = Math.max(1, losses - 9);
      expect(await row(id)).toMatchObject({ attempt, losses, status: 'running' });
    }
    placement.cluster.killPod(podOf(id, 13), { reason: 'Evicted', message: EVICTED });
    expect(await reaches(id, 'failed')).toMatchObject({
      errorCode: 'worker_lost',
      error: `the run pod was lost: Evicted: ${EVICTED} (pods were lost 13 times)`,
    });
  });

  it('has each loss counted and logged once, even if several workers notice the loss', async () => {
    place();
    const id = await begin();
    placement.cluster.killPod(podOf(id, 1), { reason: 'Evicted', message: EVICTED });
    await runs(podOf(id, 2));
    const [claim] = await listPlacedRuns(harness.context.db);
    if (!claim) throw new Error('no run is placed');
    const loss = { reason: 'the run pod was lost: again', cost: 'loss', isTimeout: false } as const;
    const notified = await Promise.all([1, 2, 3].map(() => loseRun(harness.context, claim, loss)));
    expect(notified.filter(Boolean)).toHaveLength(1);
    await runs(podOf(id, 3));
    expect(await row(id)).toMatchObject({ losses: 2, epoch: 3 });
    expect((await log(id)).match(/was lost: Evicted/g)).toHaveLength(1);
    expect((await log(id)).match(/was lost: again/g)).toHaveLength(1);
  });

  it('loses an attempt if the pod has filled its disk', async () => {
    const id = await begin();
    const message = 'Pod ephemeral local storage usage exceeds the total limit of containers 12Gi.';
    placement.cluster.killPod(podOf(id, 1), { reason: 'Evicted', message });
    await runs(podOf(id, 2));
    expect(await row(id)).toMatchObject({ attempt: 2 });
  });

  it('restarts without losing an attempt if the pod was deleted by force', async () => {
    const id = await begin();
    const asked = placement.cluster.requests.length;
    await until('a look at it', () => placement.cluster.requests.length > asked + 8);
    placement.cluster.vanish(podOf(id, 1));
    await runs(podOf(id, 2));
    expect(await row(id)).toMatchObject({ attempt: 1, epoch: 2 });
  });

  it('ends with the status timed_out if the pod has reached its deadline', async () => {
    const id = await begin();
    const message = 'Pod was active on the node longer than the specified deadline';
    placement.cluster.killPod(podOf(id, 1), { reason: 'DeadlineExceeded', message });
    expect(await reaches(id, 'timed_out')).toMatchObject({
      errorCode: 'timeout',
      error: expect.stringContaining('DeadlineExceeded'),
    });
  });

  it('fails with an error text that the database can store, whatever the container reports', async () => {
    const id = await begin();
    await harness.db.heartbeatRun.update({ where: { id }, data: { attempt: 3 } });
    const terminated = { exitCode: 1, reason: 'Error', message: 'no\0thing \ud83d' };
    const containerStatuses = [{ name: 'runner', state: { terminated } }];
    placement.cluster.killPod(podOf(id, 1), { containerStatuses });
    expect(await reaches(id, 'failed')).toMatchObject({
      error: 'the run pod was lost: Error (exit code 1): no\ufffdthing \ufffd',
    });
  });

  it('restarts even if the cluster does not delete the lost pod', async () => {
    place();
    const [stuck, other] = [await queue(), await queue()];
    for (const id of [stuck, other]) await runs(podOf(id, 1));
    const denied = { status: 403, reason: 'Forbidden', message: 'denied by a webhook' };
    for (const id of [stuck, other]) {
      placement.cluster.fail(new RegExp(`DELETE .*${podOf(id, 1)}`), denied, 1_000);
      placement.cluster.killPod(podOf(id, 1), { reason: 'Evicted', message: EVICTED });
    }
    for (const id of [stuck, other]) await runs(podOf(id, 2));
  });

  it('fails after its last attempt, and reports why the pod did not start', async () => {
    placement.cluster.holdAll(PULL);
    place({ startMs: 5_000 });
    const id = await queue();
    await isThere(podOf(id, 1));
    await harness.db.heartbeatRun.update({ where: { id }, data: { attempt: 3 } });
    expect(await reaches(id, 'failed')).toMatchObject({
      error: 'the run pod was lost: ImagePullBackOff: no such image',
    });
  });

  it('waits without losing an attempt while the cluster has no node for the pod', async () => {
    placement.cluster.holdAll(UNSCHEDULABLE);
    place({ startMs: 5_000 });
    const id = await queue();
    await isThere(podOf(id, 2));
    expect(await row(id)).toMatchObject({ attempt: 1 });
    expect(await log(id)).toContain('Unschedulable: 0/3 nodes');
  });

  it('can be cancelled while the pod waits for a node', async () => {
    placement.cluster.holdAll(UNSCHEDULABLE);
    place();
    const id = await queue();
    await isThere(podOf(id, 1));
    await harness.api.post(`/api/heartbeat-runs/${id}/cancel`).expect(200);
    await until('the pods', () => placement.cluster.pods.size === 0);
    await reaches(id, 'cancelled');
  });

  it('has its pod deleted when it ends, and pods of unknown runs are deleted, but not pods of other installations', async () => {
    const id = await begin();
    const unknown = structuredClone([...placement.cluster.pods.values()][0]);
    if (!unknown) throw new Error('there is no pod');
    const ofOthers = structuredClone(unknown);
    Object.assign(unknown.metadata, { name: podOf(id, 7), uid: 'unknown' });
    unknown.metadata.labels = { ...unknown.metadata.labels, 'switchyard.dev/epoch': '7' };
    Object.assign(ofOthers.metadata, { name: 'run-of-others', uid: 'others' });
    ofOthers.metadata.labels = {
      ...ofOthers.metadata.labels,
      'app.kubernetes.io/instance': 'others',
    };
    for (const pod of [unknown, ofOthers]) placement.cluster.pods.set(pod.metadata.name, pod);
    unknown.status = { phase: 'Pending' };
    await until('the pods', () => !placement.cluster.pods.has(podOf(id, 7)));
    const over = { status: 'succeeded', finishedAt: new Date() } as const;
    await harness.db.heartbeatRun.update({ where: { id }, data: over });
    await until('the pods', () => !placement.cluster.pods.has(podOf(id, 1)));
    expect([...placement.cluster.pods.keys()]).toEqual(['run-of-others']);
    expect(placement.cluster.secrets.size).toBe(0);
  });
});
