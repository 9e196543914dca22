import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Application } from 'express';
import { errorFields, type Logger } from './logger';

export interface Listening {
  server: Server;
  port: number;
  /** Takes no new connection, waits for the open requests, then cuts what is left at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/** @throws Error naming host and port when they cannot be had */
export async function listen(app: Application, host: string, port: number): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 120_000 }, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const cause = error.code === 'EADDRINUSE' ? 'is taken by another program' : error.message;
      reject(new Error(`cannot listen on ${host}:${port}: ${cause}`));
    });
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: (deadlineMs) =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

export interface Running {
  /** Ends everything in order; called once. */
  stop(): Promise<void>;
}

/**
 * Starts a process and stops it in order on SIGTERM or SIGINT. A second signal, or a stop that takes
 * longer than the grace, ends it at once.
 */
export async function runProcess(
  logger: Logger,
  graceMs: number,
  start: () => Promise<Running>,
): Promise<void> {
  let stopping = false;
  const running = await start();
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info('stopping', { signal });
    const late = setTimeout(() => {
      logger.error('stop took longer than the grace; leaving', { graceMs });
      process.exit(1);
    }, graceMs);
    try {
      await running.stop();
      logger.info('stopped');
      clearTimeout(late);
      process.exit(0);
    } catch (error) {
      logger.error('stop failed', errorFields(error));
      process.exit(1);
    }
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('unhandledRejection', (reason) => {
    logger.error('unhandled rejection', errorFields(reason));
    void stop('unhandledRejection');
  });
}

/** Runs a bin: a start that fails prints its reason as text and leaves with 1. */
export async function main(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
