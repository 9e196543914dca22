import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { processKubelet } from '@switchyard/orchestration/test/pods/process-kubelet';
import { startScriptedCluster } from '@switchyard/orchestration/test/pods/scripted-cluster';
import { freePort, until } from '@switchyard/testing';

const REHEARSAL = join(__dirname, '../../rehearse/rollout');
const { LONG_SEC = '300' } = process.env;
const LONG_RUNS = 8;

it('a rollout replaces twelve pods under load while eight runs continue in their own pods', async () => {
  const port = await freePort();
  const kubelet = processKubelet(() => `http://127.0.0.1:${port}`, {
    AUTH_MODE: 'authenticated',
    PROCESS_ADAPTER_COMMANDS: 'node',
    SANDBOX_READ_ONLY: join(REHEARSAL, 'agent.mjs'),
  });
  const cluster = await startScriptedCluster(kubelet);
  const { TEST_DATABASE_URL: database, TEST_REDIS_URL: redis } = process.env;
  const options = {
    servers: { database, redis },
    longSec: Number(LONG_SEC),
    runPods: { variables: cluster.variables, port },
  };
  const rehearsal = fork(join(REHEARSAL, 'rollout-of-run-pods.mjs'), [JSON.stringify(options)]);
  const ended = once(rehearsal, 'exit');
  try {
    await Promise.race([once(rehearsal, 'message'), ended]);
    const isGone = () => cluster.pods.size === 0 && cluster.secrets.size === 0;
    if (rehearsal.connected) {
      await until('the removal of pods and tickets', isGone, 60_000);
      rehearsal.send('gone');
    }
    expect(await ended).toEqual([0, null]);
    expect(cluster.created.length).toBeGreaterThan(LONG_RUNS);
    expect(cluster.created.filter((name) => !name.endsWith('-1'))).toEqual([]);
    expect(cluster.findings).toEqual([]);
    process.stdout.write(`run pods: ${cluster.created.length}, of second claims: 0\n`);
  } finally {
    rehearsal.kill('SIGKILL');
    await cluster.close();
  }
});
