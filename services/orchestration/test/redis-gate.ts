import { connect, createServer, type Server, type Socket } from 'node:net';
import { redisUrl } from '@switchyard/testing';

export interface RedisGate {
  url: string;
  /** Breaks open connections and refuses new ones. */
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a proxy to the test run's Redis that one test can shut for itself. */
export const openRedisGate = (): Promise<RedisGate> => openGate(redisUrl());

export async function openGate(url: string): Promise<RedisGate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let port = 0;
  let server: Server | null = null;

  const forward = (socket: Socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  };
  const open = async () => {
    const listening = createServer(forward);
    await new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', resolve));
    port = (listening.address() as { port: number }).port;
    server = listening;
  };
  const shut = async () => {
    const closing = server;
    server = null;
    if (!closing) return;
    const closed = new Promise((resolve) => closing.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open();
  const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) });
  return { url: through.href, shut, open, close: shut };
}
