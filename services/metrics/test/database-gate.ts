import { connect, createServer, type Socket } from 'node:net';

export interface DatabaseGate {
  url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
  hold(): void;
  close(): Promise<void>;
}

export async function openDatabaseGate(url: string): Promise<DatabaseGate> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let holding = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('data', (chunk) => {
        if (!holding) other.write(chunk);
      });
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as { port: number };
  const through = new URL(url);
  through.port = String(port);
  through.hostname = '127.0.0.1';
  const shut = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: through.href,
    shut,
    open: () => {
      holding = false;
      return listen(port);
    },
    hold: () => {
      holding = true;
    },
    close: shut,
  };
}
