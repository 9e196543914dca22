import { until } from '@switchyard/testing';
import { useHarness } from '../harness';
import { WITH_RUNNERS } from '../runner-client';
import { usePlacement } from './placement-harness';
import { processKubelet } from './process-kubelet';

const node = (program: string) => ({ command: process.execPath, args: ['-e', program] });
const WAIT = node(`console.log('at work'); setInterval(() => undefined, 1000)`);

describe('a run in its own pod', () => {
  const harness = useHarness({ config: { runner: { ...WITH_RUNNERS.runner, leaseMs: 10_000 } } });
  let kubelet: ReturnType<typeof processKubelet>;
  const placement = usePlacement(harness, () => {
    kubelet = processKubelet(() => harness.runnersUrl);
    return kubelet;
  });
  const { place, queue, run, reaches, row, log, podOf } = placement;
  const isGone = () =>
    until(
      'the removal of pods and tickets',
      () => placement.cluster.pods.size === 0 && placement.cluster.secrets.size === 0,
    );
  const saysAtWork = (id: string) =>
    until('an agent at work', async () => (await log(id)).includes('at work'));

  it('reports its log and exit code, and leaves nothing in the cluster', async () => {
    place();
    const id = await queue(node(`console.log('hello from a pod'); process.exitCode = 3`));
    expect(await reaches(id, 'failed')).toMatchObject({ exitCode: 3, attempt: 1 });
    expect(await log(id)).toContain('hello from a pod');
    await isGone();
    expect(placement.cluster.created).toEqual([podOf(id, 1)]);
  });

  it('continues while its worker restarts, and leaves no pod when it is cancelled', async () => {
    const first = place();
    const id = await queue(WAIT);
    await saysAtWork(id);
    await first.close();
    place();
    const looks = placement.cluster.requests.length;
    await until('two looks', () => placement.cluster.requests.length > looks + 4);
    expect(await row(id)).toMatchObject({ epoch: 1, attempt: 1, status: 'running' });
    await harness.api.post(`/api/heartbeat-runs/${id}/cancel`).expect(200);
    await reaches(id, 'cancelled');
    await isGone();
    expect(placement.cluster.created).toHaveLength(1);
  });

  it('restarts in another pod without losing an attempt when its pod is evicted', async () => {
    place();
    const id = await queue(
      node(`console.log('at work'); if (process.env.SERVICE_RUN_EPOCH) process.exit(0);
        setInterval(() => undefined, 1000)`),
    );
    await saysAtWork(id);
    placement.cluster.drain(podOf(id, 1));
    await until('a second pod', () => placement.cluster.created.length === 2);
    expect(await row(id)).toMatchObject({ epoch: 2, attempt: 1, losses: 1 });
  });

  it('cannot be started again by another process that has read its ticket', async () => {
    place();
    const id = await queue(WAIT);
    await saysAtWork(id);
    const pod = placement.cluster.pods.get(podOf(id, 1));
    const ticket = placement.cluster.secrets.get(podOf(id, 1))?.stringData.ticket ?? '';
    if (!pod) throw new Error('there is no pod');
    const thief = kubelet.start(pod, ticket);
    expect((await thief.ended).exitCode).not.toBe(0);
    expect(kubelet.lines.join('')).toContain('must not be revoked');
    expect((await run(id)).status).toBe('running');
  });
});
