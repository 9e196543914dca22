import { connect, createServer, type Socket } from 'node:net';

export interface SilentGate {
  url: string;
  /** Stops all traffic on open connections without closing them; new ones work. */
  silence(): void;
  close(): Promise<void>;
}

/** Opens a proxy that can go silent, as a dead host behind a virtual address or a lost NAT entry does. */
export async function openSilentGate(url: string): Promise<SilentGate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) });
  return {
    url: through.href,
    silence: () => {
      for (const socket of sockets) socket.unpipe().resume();
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
