import { connect, createServer, type Socket } from 'node:net';

export interface Gate {
  url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
  hold(): void;
  silence(): void;
  close(): Promise<void>;
}

export async function openGate(url: string): Promise<Gate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isHolding = false;
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
      if (isHolding) one.resume();
      else one.pipe(other);
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as { port: number };
  const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) });
  const silence = () => {
    for (const socket of sockets) socket.unpipe().resume();
  };
  const shut = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: through.href,
    shut,
    open: async () => {
      isHolding = false;
      if (!server.listening) await listen(port);
    },
    hold: () => {
      isHolding = true;
      silence();
    },
    silence,
    close: shut,
  };
}
