import { errorFields, type Logger } from './logging/logger';
import { tracing } from './tracing/tracing';

export interface Running {
  stop(isFault: boolean): Promise<void>;
}

/**
 * Stops in order on SIGTERM or SIGINT. Exits immediately on a second signal or after the grace
 * period. After `giveUp`, exits with 1.
 */
export async function runProcess(
  logger: Logger,
  graceMs: number,
  start: (giveUp: (why: string) => void) => Promise<Running>,
): Promise<void> {
  let stopping = false;
  // Listens from the start, because process 1 of a container ignores signals without a listener.
  let hasStarted: (running: Running) => void = () => undefined;
  const started = new Promise<Running>((resolve) => {
    hasStarted = resolve;
  });
  const stop = async (signal: string, exitCode: number) => {
    if (stopping) return;
    stopping = true;
    logger.info('stopping', { signal });
    const late = setTimeout(() => {
      logger.error('shutdown took longer than the grace period; exiting', { graceMs });
      process.exit(1);
    }, graceMs);
    try {
      await (await started).stop(exitCode !== 0);
      await tracing().close();
      logger.info('stopped');
      clearTimeout(late);
      process.exit(exitCode);
    } catch (error) {
      logger.error('stop failed', errorFields(error));
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      void stop(signal, 0);
    });
  }
  process.on('unhandledRejection', (reason) => {
    logger.error('unhandled rejection', errorFields(reason));
    void stop('unhandledRejection', 1);
  });
  const giveUp = (why: string): void => {
    if (!stopping) logger.error(why);
    void stop('giving up', 1);
  };
  hasStarted(await start(giveUp));
  // Reports readiness to a parent with an IPC channel, because another program could answer on this
  // process's port.
  process.send?.('ready');
}

export async function main(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
