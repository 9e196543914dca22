import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { newFolder } from './spawned';

export const CANARY = 'canary-of-another-process';

export interface Victims {
  pid: number;
  folder: string;
  file: string;
  shown: string;
  tcpPort: number;
  udpPort: number;
  abstractName: string;
  socketFile: string;
  datagramFile: string;
  sharedMemoryKey: number;
  close(): void;
}

const SHARED_MEMORY_KEY = 0x53570000 + (process.pid & 0xffff);

/**
 * Allows tracing by any process (Yama restricts it to parents), so that only the sandbox is tested.
 */
const VICTIM = `
use Socket;
syscall($ENV{PRCTL} + 0, 0x59616d61, -1, 0, 0, 0);
my $memory = shmget($ENV{KEY}, 4096, 01600);
$SIG{TERM} = sub { shmctl($memory, 0, 0); exit 0 };
socket my $log, PF_UNIX, SOCK_DGRAM, 0 or die $!;
bind $log, pack_sockaddr_un($ENV{DATAGRAMS}) or die $!;
$| = 1;
print "ready\\n";
sleep 600;
`;

export async function startVictims(prctl: number): Promise<Victims> {
  const folder = newFolder();
  const file = join(folder, 'file');
  writeFileSync(file, CANARY);
  const shown = join(newFolder(), 'shown');
  writeFileSync(shown, 'for all to read');
  const datagramFile = join(folder, 'datagrams');
  const environment = {
    CANARY,
    DATAGRAMS: datagramFile,
    PRCTL: String(prctl),
    KEY: String(SHARED_MEMORY_KEY),
  };
  const child: ChildProcess = spawn('perl', ['-e', VICTIM], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: child.stdout! }), 'line');
  const tcp = await serve(0);
  const abstractName = `switchyard-test-${process.pid}`;
  const abstract = await serve(`\0${abstractName}`);
  const socketFile = join(folder, 'socket');
  const named = await serve(socketFile);
  const udp = createSocket('udp4', (text, { port, address }) => udp.send(text, port, address));
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  return {
    pid: child.pid!,
    folder,
    file,
    shown,
    tcpPort: (tcp.address() as AddressInfo).port,
    udpPort: udp.address().port,
    abstractName,
    socketFile,
    datagramFile,
    sharedMemoryKey: SHARED_MEMORY_KEY,
    close: () => {
      child.kill('SIGTERM');
      for (const server of [tcp, abstract, named]) server.close();
      udp.close();
    },
  };
}

async function serve(at: number | string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end('hello\n');
  });
  if (typeof at === 'number') server.listen(at, '127.0.0.1');
  else server.listen(at);
  await once(server, 'listening');
  return server;
}
