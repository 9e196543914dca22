import supertest from 'supertest';
import { useAuthenticatedHarness } from '../../../test/authenticated-harness';
import { runnerClient, WITH_RUNNERS } from '../../../test/runner-client';
import { createWorkerApplication } from '../../http/app';
import { runnerNews } from './runner-news';

describe('the HTTP listener of the worker', () => {
  const harness = useAuthenticatedHarness({ config: WITH_RUNNERS });

  it('reports whether a runner is connected, and counts the runs of each runner', async () => {
    const worker = supertest(createWorkerApplication(harness.context, () => false));
    const without = await worker.get('/readyz').expect(200);
    expect(without.body.components).toMatchObject({ database: 'ok', runners: 'unavailable' });
    const runner = runnerClient(harness, { name: 'desk' });
    await runner.hello({ sandbox: { driver: 'bwrap', detail: '' } }).expect(200);
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: 'true' },
    });
    await harness.build.queuedRun(agent.id);
    expect(await runner.take()).toHaveLength(1);
    const { id } = await harness.build.company();
    const made = await harness.founding
      .post(`/api/companies/${id}/runners`)
      .send({ name: 'Secret' });
    const other = runnerClient(harness, { token: made.body.token, name: 'secret name' });
    await other.hello({ sandbox: { driver: 'landlock', detail: '' } }).expect(200);
    const ready = await worker.get('/readyz').expect(200);
    expect(ready.body.components).toMatchObject({ runners: 'ok' });
    const { text } = await worker.get('/metrics').expect(200);
    expect(text).toContain('switchyard_runners{driver="off"} 1');
    expect(text).toContain('switchyard_runners{driver="landlock"} 1');
    expect(text).toContain('switchyard_runners{driver="bwrap"} 0');
    expect(text).toContain('switchyard_runner_runs{runner="desk"} 1');
    expect(text).toContain('switchyard_runner_runs{runner="of_companies"} 0');
    expect(text).not.toContain('secret name');
  });

  it('ends waiting calls when the process stops', async () => {
    const runner = runnerClient(harness);
    await runner.hello().expect(200);
    const waiting = runner.next({ waitMs: 20_000 });
    runnerNews(harness.context).close();
    expect(await waiting).toEqual({ runs: [], checks: [] });
    expect(await runner.next({ waitMs: 20_000 })).toEqual({ runs: [], checks: [] });
  });
});
