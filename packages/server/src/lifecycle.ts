import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Application } from 'express';
import { answerUnreadable, refuseHostless } from './http/answer-unreadable';
import { errorFields, type Logger } from './logging/logger';
import { tracing } from './tracing/tracing';

export interface Listening {
  server: Server;
  port: number;
  /** Takes no new connection, waits for the open requests, then cuts what is left at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Answers that are under way when a server closes tell their client so, and their connections end with
 * them: a connection that is kept alive would hold the close until its own timeout.
 */
function endConnectionsWith(server: Server): () => void {
  const open = new Set<ServerResponse>();
  let closing = false;
  server.prependListener('request', (_request, response) => {
    open.add(response);
    if (closing) response.setHeader('Connection', 'close');
    response.once('close', () => {
      open.delete(response);
      if (closing) setImmediate(() => server.closeIdleConnections());
    });
  });
  return () => {
    closing = true;
    for (const response of open) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  };
}

/** @throws Error naming host and port when they cannot be had */
export async function listen(app: Application, host: string, port: number): Promise<Listening> {
  const limits = { keepAliveTimeout: 65_000, requestTimeout: 120_000, requireHostHeader: false };
  const server = createServer(limits, (request, response) => {
    if (!refuseHostless(request, response)) app(request, response);
  });
  answerUnreadable(server);
  const beginClosing = endConnectionsWith(server);
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
        beginClosing();
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
  /** Ends everything in order; called once. A fault is a stop that nobody asked for. */
  stop(isFault: boolean): Promise<void>;
}

/**
 * Starts a process and stops it in order on SIGTERM or SIGINT; a signal that arrives during the start
 * stops it as soon as it has started. A second signal, or a stop that takes longer than the grace, ends
 * it at once. Whatever was not asked for leaves with 1.
 */
export async function runProcess(
  logger: Logger,
  graceMs: number,
  start: () => Promise<Running>,
): Promise<void> {
  let stopping = false;
  // Process 1 of a container ignores a signal that it has no listener for: it must be heard from the first moment.
  let hasStarted: (running: Running) => void = () => undefined;
  const started = new Promise<Running>((resolve) => {
    hasStarted = resolve;
  });
  const stop = async (signal: string, exitCode: number) => {
    if (stopping) return;
    stopping = true;
    logger.info('stopping', { signal });
    const late = setTimeout(() => {
      logger.error('stop took longer than the grace; leaving', { graceMs });
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
  hasStarted(await start());
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
