import { createServer, type Socket } from 'node:net';

export type ScriptedClamd = Awaited<ReturnType<typeof startClamd>>;

export async function startClamd() {
  let answer: string | null = 'stream: OK\0';
  let behaviour: 'reads' | 'hangs up' | 'reads nothing' = 'reads';
  let received: Buffer = Buffer.alloc(0);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    if (behaviour === 'reads nothing') return void socket.pause();
    let bytes: Buffer = Buffer.alloc(0);
    socket.on('data', (part: Buffer) => {
      if (behaviour === 'hangs up') return socket.destroy();
      bytes = Buffer.concat([bytes, part]);
      const content = contentOf(bytes);
      if (content === null) return;
      received = content;
      if (answer !== null) socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    address: { host: '127.0.0.1', port },
    answer: (text: string | null) => {
      answer = text;
    },
    hangUp: () => {
      behaviour = 'hangs up';
    },
    readNothing: () => {
      behaviour = 'reads nothing';
    },
    received: () => received,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

const COMMAND = 'zINSTREAM\0';

function contentOf(bytes: Buffer): Buffer | null {
  if (bytes.length < COMMAND.length) return null;
  const command = bytes.subarray(0, COMMAND.length).toString();
  if (command !== COMMAND) throw new Error(`no command of clamd: ${command}`);
  const parts: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (length === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}
