import { createServer, type IncomingMessage } from 'node:http';
import { isIP, type LookupFunction, connect as openSocket, type Socket } from 'node:net';
import { closeLingering, lingerAfterEarlyAnswers } from '@switchyard/server/lingering-close';
import { joinSockets } from '../../network/join-sockets';
import { showsProxySecret } from '../../network/proxy-secret';

export interface Destination {
  host: string;
  port: number;
  addresses: readonly string[];
}

const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Opens a CONNECT proxy to one host, the only network of a sandboxed git. `secret` keeps out other
 * accounts of this machine.
 */
export function openOneHost(
  destination: Destination,
  secret: string | null,
): {
  accept(socket: Socket): void;
  close(): void;
} {
  const { host, port, addresses } = destination;
  const open = new Set([host, ...addresses].map((one) => `${bracketed(one)}:${port}`));
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((_, response) => response.writeHead(405).end());
  lingerAfterEarlyAnswers(server);
  server.on(
    'connect',
    ({ url = '', headersDistinct }: IncomingMessage, client: Socket, head: Buffer) => {
      const refuse = (why: string) =>
        closeLingering(client, `HTTP/1.1 ${why}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      const shown = headersDistinct['proxy-authorization'] ?? [];
      if (!showsProxySecret(shown, secret)) {
        return void refuse(
          '407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="run"',
        );
      }
      if (!open.has(url.toLowerCase()))
        return void refuse(`403 Only ${host}:${port} is an allowed destination`);
      const options = { host, port, timeout: CONNECT_TIMEOUT_MS };
      const remote = keep(openSocket(addresses.length > 0 ? pinned(options, addresses) : options));
      remote.once('timeout', () => remote.destroy(new Error('timed out')));
      const fail = ({ code, message }: NodeJS.ErrnoException) => {
        refuse(`502 Failed to connect to ${host}:${port}: ${code ?? message}`);
      };
      remote.once('error', fail);
      client.once('close', () => remote.destroy());
      remote.once('connect', () => {
        remote.off('error', fail).setTimeout(0);
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        if (head.length > 0) remote.write(head);
        joinSockets(client, remote);
      });
    },
  );
  return {
    accept: (socket) => server.emit('connection', keep(socket)),
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const bracketed = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);

function pinned<Options extends object>(options: Options, addresses: readonly string[]) {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_host, _options, done) =>
    (done as unknown as (error: null, found: typeof all) => void)(null, all);
  return { ...options, lookup, autoSelectFamily: true };
}
