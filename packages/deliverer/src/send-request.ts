import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Connector } from './open-socket';

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
  connect: Connector;
  signal: AbortSignal;
}

export function sendRequest(outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, connect, signal } = outgoing;
  const target = new URL(url);
  const { protocol, port } = target;
  const hostname = target.hostname.replace(/^\[|\]$/g, '');
  const open = protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const request = open(target, {
      method,
      headers,
      signal,
      createConnection: (_options, opened) => {
        connect({ hostname, port, protocol }, (error, socket) => {
          opened(error, socket as NonNullable<typeof socket>);
        });
        return undefined;
      },
    });
    request.once('response', (answer) => {
      // Prevents an uncaught error if the signal aborts the request while the response is not being
      // read.
      answer.on('error', () => {});
      resolve(answer);
    });
    request.on('error', reject);
    request.end(body);
  });
}
