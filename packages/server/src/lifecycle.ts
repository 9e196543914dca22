import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Application } from 'express';
import { answerUnreadable, refuseHostless } from './http/answer-unreadable';
import { lingerAfterEarlyAnswers } from './http/lingering-close';

export interface Listening {
  server: Server;
  port: number;
  /**
   * Rejects new connections, waits for open requests, and closes the remaining connections at the
   * deadline.
   */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Sends `Connection: close` during shutdown, because a kept-alive connection would delay the
 * shutdown until the connection's own timeout.
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

export async function listen(app: Application, host: string, port: number): Promise<Listening> {
  const limits = { keepAliveTimeout: 65_000, requestTimeout: 120_000, requireHostHeader: false };
  const server = createServer(limits, (request, response) => {
    if (!refuseHostless(request, response)) app(request, response);
  });
  lingerAfterEarlyAnswers(server);
  answerUnreadable(server);
  const beginClosing = endConnectionsWith(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const cause =
        error.code === 'EADDRINUSE' ? 'the port is used by another program' : error.message;
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
