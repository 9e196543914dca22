import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { presentTraceparent, tracing } from '@switchyard/server';
import type { Connector } from './open-socket';

export interface OutgoingRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
  connect: Connector;
  signal: AbortSignal;
  parent?: string | null | undefined;
}

/** The span omits the URL, because the path of a webhook is often a secret. */
export function sendRequest(outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { method, url, parent = null } = outgoing;
  const target = new URL(url);
  const attributes = { 'http.request.method': method, 'server.address': target.hostname };
  const describeResult = ({ statusCode = 0 }: IncomingMessage) => ({
    'http.response.status_code': statusCode,
    ...(statusCode >= 400 && { 'error.type': String(statusCode) }),
  });
  const errorType = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown';
  const described = { name: method, kind: 'client', parent, attributes } as const;
  const span = { ...described, describeResult, errorType };
  return tracing().inSpan(span, () => exchange(target, outgoing));
}

function exchange(target: URL, outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { method, headers, body, connect, signal } = outgoing;
  const traceparent = presentTraceparent();
  const { protocol, port } = target;
  const hostname = target.hostname.replace(/^\[|\]$/g, '');
  const open = protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const request = open(target, {
      method,
      headers: { ...(traceparent && { traceparent }), ...headers },
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
