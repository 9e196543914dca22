import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedCall {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export async function openReceiver() {
  const calls: ReceivedCall[] = [];
  const receiver = {
    calls,
    url: '',
    answer: (_call: ReceivedCall, response: ServerResponse) => void response.writeHead(204).end(),
    /**
     * Verifies a call with the official library.
     * @throws the library's error for an invalid call
     */
    verified: (call: ReceivedCall | undefined, secret = WEBHOOK_SECRET) =>
      new Webhook(secret).verify(
        call?.body ?? '',
        (call?.headers ?? {}) as Record<string, string>,
      ) as Record<string, unknown>,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const call = { path: request.url ?? '', headers: request.headers, body };
    calls.push(call);
    receiver.answer(call, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}
