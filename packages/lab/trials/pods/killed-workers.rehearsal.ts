import { useHarness } from '@switchyard/orchestration/test/harness';
import { usePlacement } from '@switchyard/orchestration/test/pods/placement-harness';
import { processKubelet } from '@switchyard/orchestration/test/pods/process-kubelet';
import { WITH_RUNNERS } from '@switchyard/orchestration/test/runner-client';
import { startWorkerProcess } from '@switchyard/orchestration/test/worker-process';
import { until } from '@switchyard/testing';

describe('a run whose worker is killed', () => {
  const harness = useHarness({ config: { runner: { ...WITH_RUNNERS.runner, leaseMs: 10_000 } } });
  const placement = usePlacement(harness, () => processKubelet(() => harness.runnersUrl));
  const { place, queue, reaches, podOf } = placement;
  const isGone = () =>
    until(
      'the removal of pods and tickets',
      () => placement.cluster.pods.size === 0 && placement.cluster.secrets.size === 0,
    );

  it('passes to another worker if no pod had been created for the run', async () => {
    placement.cluster.fail(/^POST .*pods$/, 'hangs');
    const environment = { ...placement.cluster.variables, RUN_POD_START_SEC: '3' };
    const worker = await startWorkerProcess(harness.config, environment);
    const id = await queue({ command: 'true' });
    const isAsked = (line: string) => /^POST .*pods$/.test(line);
    await until('a request', () => placement.cluster.requests.some(isAsked));
    worker.signal('SIGKILL');
    await worker.ended;
    place();
    expect(await reaches(id, 'succeeded')).toMatchObject({ attempt: 2 });
    expect(placement.cluster.created).toEqual([podOf(id, 2)]);
  });

  it('passes to another worker if no ticket had been created for the run', async () => {
    placement.cluster.fail(/^POST .*secrets$/, 'hangs');
    const environment = { ...placement.cluster.variables, RUN_POD_START_SEC: '3' };
    const worker = await startWorkerProcess(harness.config, environment);
    const id = await queue({ command: 'true' });
    await until('a pod', () => placement.cluster.created.length === 1);
    worker.signal('SIGKILL');
    await worker.ended;
    place();
    await reaches(id, 'succeeded');
    await isGone();
    expect(placement.cluster.created).toEqual([podOf(id, 1), podOf(id, 2)]);
  });
});
