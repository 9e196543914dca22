import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectSecure } from 'node:tls';

interface SocketTarget {
  /** An IPv6 address stands without brackets. */
  hostname: string;
  /** Without it that of the protocol. */
  port?: string | number | null;
  /** With `https:` the handshake is a part of connecting. */
  protocol: string;
}

export interface SocketOptions {
  /** Ends the socket, also one that is open. */
  signal: AbortSignal;
  /** Of looking up, connecting and the handshake together; 0 is for ever. */
  timeoutMs: number;
  /** The system's resolver when absent. */
  lookup?: LookupFunction;
  /** Certificates to trust in place of the system's, as PEM. */
  ca?: string;
}

export type Opened = [error: null, socket: Socket] | [error: Error, socket: null];

/** In the form that an Agent of Node and one of undici ask for. */
export type Connector = (target: SocketTarget, callback: (...opened: Opened) => void) => void;

/** Opens sockets; of each host the latest TLS session is kept, so that the next handshake is shorter. */
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
    const late = () => socket.destroy(connectError('ETIMEDOUT', 'the connection took too long'));
    const timer = options.timeoutMs > 0 ? setTimeout(late, options.timeoutMs) : undefined;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.once(isSecure(target) ? 'secureConnect' : 'connect', () => settle(null, socket));
    // Also later: a socket that nobody uses at the moment must not end the process.
    socket.on('error', (error) => settle(error, null));
    socket.once('close', () => settle(connectError('ECONNRESET', 'it was closed'), null));
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
  // An address is no name that a certificate could be asked for by.
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
