import { useHarness } from '@switchyard/orchestration/test/harness';
import {
  PROVIDER_HOST,
  serveProvider,
} from '@switchyard/orchestration/test/providers/serve-provider';
import { RUNNER_TOKEN } from '@switchyard/orchestration/test/runner-client';
import { startWorkerProcess } from '@switchyard/orchestration/test/worker-process';
import { until } from '@switchyard/testing';
import type { HeartbeatRunView } from '@switchyard/types';
import { WORK } from '../coding-agents/rehearse';
import { CLAUDE, CODEX, OPENCODE } from '../coding-agents/tools';
import { startRunnerContainer } from './runner-container';

describe.each([CLAUDE, CODEX, OPENCODE])('$tool in the runner’s image', (rehearsed) => {
  const harness = useHarness();

  it('finishes an issue in a container, under landlock', async () => {
    const provider = await serveProvider(rehearsed.format, PROVIDER_HOST);
    const worker = await startWorkerProcess(harness.config);
    const runner = await startRunnerContainer([], {
      ...{ RUNNER_TOKEN, RUNNER_URL: worker.url, RUNNER_PORT: '0', RUNNER_DRAIN_SEC: '0' },
      ...{ RUNNER_NAME: `image-${rehearsed.tool}`, LOG_FORMAT: 'json', SANDBOX: 'landlock' },
      AGENT_ALLOWED_HOSTS: new URL(provider.url).host,
    });
    try {
      const { adapterType, model } = rehearsed;
      const agent = await harness.build.agent({
        adapterType,
        adapterConfig: { model, ...rehearsed.configure(provider.url), timeoutSec: 120 },
      });
      const { companyId } = agent;
      const issue = await harness.build.issue({ companyId, title: 'Say hello', status: 'todo' });
      provider.play(WORK);
      const { id } = await harness.build.queuedRun(agent.id, { issueId: issue.id });
      const run = await until(
        'the run',
        async () => {
          const { body } = await harness.api.get(`/api/heartbeat-runs/${id}`).expect(200);
          return (body as HeartbeatRunView).finishedAt ? (body as HeartbeatRunView) : null;
        },
        150_000,
      );
      const { body: log } = await harness.api.get(`/api/heartbeat-runs/${id}/log?limit=1048576`);
      expect({ status: run.status, error: run.error, log: log.content }).toMatchObject({
        status: 'succeeded',
      });
      const { body: after } = await harness.api.get(`/api/issues/${issue.id}`).expect(200);
      expect(after).toMatchObject({ status: 'done', assigneeAgentId: agent.id });
      expect(log.content).toContain('I claim the issue first.');
      expect(log.content).toContain(`[egress] ${new URL(provider.url).host}\n`);
    } finally {
      await runner.end();
      worker.signal('SIGTERM');
      await worker.ended;
      await provider.close();
    }
  }, 240_000);
});
