import { listLiving } from '@switchyard/runner/test/living-processes';
import { until } from '@switchyard/testing';
import { useHarness } from './harness';
import { startRunnerProcess, startWorkerProcess } from './worker-process';

const harness = useHarness();

const DEAF = {
  command: process.execPath,
  args: [
    '-e',
    "process.on('SIGTERM', () => {}); console.log('at work'); setInterval(() => {}, 1e3);",
  ],
  graceSec: 0.2,
  runnerLabels: ['office'],
};

it('a runner whose token is revoked ends its runs and then exits with code 1', async () => {
  const { id: companyId } = await harness.build.company();
  const path = `/api/companies/${companyId}/runners`;
  const body = { name: 'Desk', labels: ['office'] };
  const made = (await harness.api.post(path).send(body).expect(201)).body;
  const worker = await startWorkerProcess(harness.config);
  const own = { RUNNER_TOKEN: made.token, SANDBOX: 'off' };
  const runner = await startRunnerProcess(harness.config, worker.url, own);
  const adapter = { adapterType: 'process', adapterConfig: DEAF };
  const agent = await harness.build.agent({ companyId, ...adapter });
  const run = await harness.build.queuedRun(agent.id);
  const log = () => harness.api.get(`/api/heartbeat-runs/${run.id}/log`);
  await until('the agent is at work', async () => (await log()).body.content.includes('at work'));
  await harness.api.delete(`${path}/${made.id}`).expect(204);
  expect(await runner.ended).toBe(1);
  expect(listLiving(`SERVICE_RUN_ID=${run.id}`)).toEqual([]);
  const said = runner.lines.join('\n');
  expect(said).toContain('its token was revoked');
  expect(said).not.toMatch(/stop failed|unhandled/);
  worker.signal('SIGTERM');
  expect(await worker.ended).toBe(0);
});
