import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { lingerAfterEarlyAnswers } from '@switchyard/server/lingering-close';
import { answerRefusal, closeWithRefusal, Refusal } from './exchange/refusal';

export interface ConnectionLimits {
  connections: number;
  requests: number;
  headersMs: number;
  requestMs: number;
}

const LIMITS: ConnectionLimits = {
  connections: 256,
  requests: 256,
  headersMs: 20_000,
  requestMs: 3_600_000,
};

export interface ConnectionEvents {
  onRequest(request: IncomingMessage, response: ServerResponse, gone: AbortSignal): Promise<void>;
  onTunnel(request: IncomingMessage, client: Socket, head: Buffer): Promise<void>;
}

/**
 * Reads HTTP/1.1 from accepted connections with Node.js's strict parser. Creates the server only
 * with the first connection, because many runs open none.
 */
export function receiveConnections(
  limits: Partial<ConnectionLimits> = {},
  { onRequest, onTunnel }: ConnectionEvents,
): { accept(socket: Socket): void; close(): void } {
  const all = { ...LIMITS, ...limits };
  const { connections, requests } = all;
  /**
   * Callbacks per socket. A response that waits for its turn gets no close event from Node.js, so
   * these callbacks report that its socket has closed.
   */
  const sockets = new Map<Socket, Set<() => void>>();
  let answering = 0;
  let isClosed = false;
  let server: Server | null = null;

  const open = (): Server =>
    openServer(all, (request, response) => {
      const begun = sockets.get(request.socket);
      if (!begun) return void response.destroy();
      if (answering >= requests) {
        return answerRefusal(
          response,
          new Refusal(503, `the run already has ${requests} open requests`),
        );
      }
      const gone = new AbortController();
      const end = () => {
        if (!begun.delete(end)) return;
        answering--;
        gone.abort();
      };
      answering++;
      begun.add(end);
      response.once('close', end);
      response.on('error', () => undefined);
      onRequest(request, response, gone.signal).catch(() => response.destroy());
    }).on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
      onTunnel(request, client, head).catch(() => client.destroy());
    });

  return {
    accept: (socket) => {
      socket.on('error', () => undefined);
      if (isClosed) return void socket.destroy();
      if (sockets.size >= connections) {
        const text = `the run already has ${connections} open connections`;
        return closeWithRefusal(socket, new Refusal(503, text));
      }
      const begun = new Set<() => void>();
      sockets.set(socket, begun);
      // Sends the body without waiting for an acknowledgement of the headers, which are a separate
      // write.
      socket.setNoDelay(true);
      socket.once('close', () => {
        sockets.delete(socket);
        for (const end of begun) end();
      });
      server ??= open();
      server.emit('connection', socket);
    },
    close: () => {
      isClosed = true;
      server?.close();
      for (const socket of sockets.keys()) socket.destroy();
    },
  };
}

function openServer(
  { headersMs, requestMs }: ConnectionLimits,
  onRequest: RequestListener,
): Server {
  const server = createServer(
    {
      insecureHTTPParser: false,
      requireHostHeader: false,
      maxHeaderSize: 32 * 1024,
      headersTimeout: headersMs,
      requestTimeout: Math.max(requestMs, headersMs),
      connectionsCheckingInterval: Math.min(5_000, headersMs),
      keepAliveTimeout: 60_000,
    },
    onRequest,
  );
  // Sets no limit, because with a limit Node.js would drop headers without an error.
  server.maxHeadersCount = 0;
  lingerAfterEarlyAnswers(server);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    closeWithRefusal(socket as Socket, refusalOf(error)),
  );
  // Emits `listening`, which starts the timeout checks of Node.js, because this server never
  // listens.
  server.emit('listening');
  return server;
}

function refusalOf({ code }: NodeJS.ErrnoException): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal(431, 'the headers are larger than 32 KiB');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal(408, 'the request was too slow');
  return new Refusal(400, 'malformed HTTP/1.1 request');
}
