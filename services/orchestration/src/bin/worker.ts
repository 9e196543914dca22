import '@switchyard/server/tracing';
import { refuseOlderSchema } from '@switchyard/db';
import { listen, main, runProcess } from '@switchyard/server';
import { readConfig } from '../config';
import { createContext } from '../create-context';
import { runnerNews } from '../features/runners/runner-news';
import { createWorkerApplication } from '../http/app';
import { startWorkers } from '../work/jobs';

void main(async () => {
  const config = readConfig(process.env, 'worker');
  const context = createContext(config, 'worker');
  await runProcess(context.logger, config.shutdownGraceMs, async () => {
    await refuseOlderSchema(context.db.pool, 'orchestration');
    let stopping = false;
    const probes = await listen(
      createWorkerApplication(context, () => stopping),
      config.host,
      config.workerPort,
    );
    const workers = config.workerPaused ? null : startWorkers(context);
    if (workers) context.logger.info('worker is ready', { concurrency: config.workerConcurrency });
    else context.logger.warn('worker is ready and paused by WORKER_PAUSED: nothing starts');
    return {
      stop: async (isFault) => {
        stopping = true;
        const grace = config.shutdownGraceMs;
        runnerNews(context).close();
        await workers?.close({ handOverAfterMs: grace / 4, isFault });
        await probes.close(1_000);
        await context.close();
      },
    };
  });
});
