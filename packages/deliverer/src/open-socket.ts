import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectSecure } from 'node:tls';

interface SocketTarget {
  hostname: string;
  port?: string | number | null;
  protocol: string;
}

export interface SocketOptions {
  signal: AbortSignal;
  timeoutMs: number;
  lookup?: LookupFunction;
  ca?: string;
}

export type Opened = [error: null, socket: Socket] | [error: Error, socket: null];

export type Connector = (target: SocketTarget, callback: (...opened: Opened) => void) => void;

export function createConnector(options: SocketOptions): Connector {
  const sessions = new Map<string, Buffer>();
  return (target, callback) => {
    const socket = begin(target, options, sessions);
    let tell: typeof callback | null = callback;
    const settle = (...opened: Opened) => {
      clearTimeout(timer);
      tell?.(...opened);
      tell = null;
    };
    const late = () => socket.destroy(connectError('ETIMEDOUT', 'the connection timed out'));
    const timer = options.timeoutMs > 0 ? setTimeout(late, options.timeoutMs) : undefined;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once(isSecure(target) ? 'secureConnect' : 'connect', () => settle(null, socket));
    // The listener stays attached, because an error on an idle socket must not end the process.
    socket.on('error', (error) => settle(error, null));
    socket.once('close', () =>
      settle(connectError('ECONNRESET', 'the connection was closed'), null),
    );
    addAbortSignal(options.signal, socket);
  };
}

const KEEP_ALIVE_MS = 60_000;

const isSecure = ({ protocol }: SocketTarget) => protocol === 'https:';

function begin(
  target: SocketTarget,
  { lookup, ca }: SocketOptions,
  sessions: Map<string, Buffer>,
): Socket {
  const { hostname: host } = target;
  if (!isSecure(target)) return connectPlain({ host, port: Number(target.port) || 80, lookup });
  const port = Number(target.port) || 443;
  const key = `${host}:${port}`;
  // Omits the server name for an IP address, because SNI only allows host names.
  const servername = isIP(host) === 0 ? host : '';
  const session = sessions.get(key);
  const socket = connectSecure({
    ...{ host, port, lookup, servername, session },
    ...(ca !== undefined && { ca }),
    ALPNProtocols: ['http/1.1'],
  });
  socket.on('session', (latest) => sessions.set(key, latest));
  return socket;
}

const connectError = (code: string, text: string) => Object.assign(new Error(text), { code });
