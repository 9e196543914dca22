import { createLogger } from '@switchyard/server/create-logger';
import { runProcess } from '@switchyard/server/process-life';
import { Refused } from './protocol/request';
import { createRunnerParts } from './runner-parts';
import type { RunnerProgramSettings } from './runner-settings';
import { serveProbes } from './serve-probes';
import { startOneRun } from './start-one-run';
import { type DrainDeadlines, startRunner } from './start-runner';

/**
 * In ms. Limits the time from the hand-over of runs to the kill, and then the time for reporting
 * their ends to the server.
 */
const KILL_AFTER_MS = 5_000;

const deadlinesOf = (drainMs: number, isFault: boolean): DrainDeadlines => ({
  handOverAfterMs: isFault ? 0 : drainMs,
  killAfterMs: (isFault ? 0 : drainMs) + KILL_AFTER_MS,
  isFault,
});

export async function runRunner(settings: RunnerProgramSettings): Promise<void> {
  const logger = createLogger({ process: 'runner', ...settings.log });
  const { drainMs, server, name, labels, capacity } = settings;
  await runProcess(logger, drainMs + 2 * KILL_AFTER_MS, async (giveUp) => {
    if (process.getuid?.() === 0) {
      logger.warn(
        'the runner runs as root, as does every agent that it starts: run it under a separate account',
      );
    }
    const parts = createRunnerParts(settings);
    const { driver, why } = await parts.confinements.sandbox();
    const sandbox = { driver, detail: why };
    if (driver === 'off') logger.warn(`runs are not sandboxed: ${why}`);
    const { ticketFile } = settings;
    if (ticketFile !== null) {
      const run = startOneRun({ ...parts, url: server.url, ticketFile, logger });
      void run.ended.then(() => process.exit(0));
      return { stop: (isFault) => run.close(deadlinesOf(drainMs, isFault)) };
    }
    const runner = await startRunner({
      ...parts,
      server,
      name,
      labels,
      capacity,
      sandbox,
      logger,
      onFault: (error) => {
        if (!(error instanceof Refused)) return void Promise.reject(error);
        giveUp(`${server.url} refuses this runner: ${error.message}`);
      },
    });
    const probes = await serveProbes(runner, { ...settings, sandbox });
    return {
      stop: async (isFault) => {
        await runner.close(deadlinesOf(drainMs, isFault));
        await probes.close();
      },
    };
  });
}
