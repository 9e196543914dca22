import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';

export async function openSurroundings(folder: string, canary: (name: string) => string) {
  const open: { close(): void }[] = [];
  const listen = async (name: string, ...at: unknown[]) => {
    const word = canary(name);
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(`HTTP/1.0 200 OK\r\n\r\n${word}\n`));
    });
    open.push(server);
    server.listen(...(at as [string]));
    await once(server, 'listening');
    return server.address() as { port: number };
  };
  const file = (name: string, path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${canary(name)}\n`, { mode: 0o600 });
    return path;
  };
  const host = '127.0.0.1';
  const bystander = { host, ...(await listen('another server', 0, host)) };
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && one.family === 'IPv4' && !one.internal);
  const neighbour = own
    ? { host: own.address, ...(await listen('a private address', 0, own.address)) }
    : null;
  const hasIpv6 = networkInterfaces().lo?.some(({ family }) => family === 'IPv6') ?? false;
  const bystander6 = hasIpv6
    ? { host: '::1', ...(await listen('a server by IPv6', 0, '::1')) }
    : null;
  const socketFile = join(folder, 'socket');
  await listen('a socket in a folder', socketFile);
  const abstractSocket = `\0switchyard-${randomBytes(6).toString('hex')}`;
  await listen('an abstract socket', abstractSocket);
  const datagrams = createSocket('udp4');
  const word = canary('a datagram');
  datagrams.on('message', (_text, { port, address }) => datagrams.send(word, port, address));
  datagrams.bind(0, host);
  await once(datagrams, 'listening');
  open.push(datagrams);
  const shared = join('/dev/shm', `switchyard-${randomBytes(6).toString('hex')}`);
  const operator = join(folder, 'operator');
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  return {
    places: {
      bystander,
      neighbour,
      bystander6,
      socketFile,
      abstractSocket,
      datagrams: { host, port: datagrams.address().port },
      temporary: dirname(file('the temporary folder', join(folder, 'temporary', 'canary'))),
      sharedMemoryFile: existsSync('/dev/shm') ? file('shared memory', shared) : shared,
      operatorFile: file('the operator’s home', join(operator, '.ssh', 'id_ed25519')),
      programFolder: programs,
    },
    operator,
    close: () => {
      for (const one of open) one.close();
      rmSync(shared, { force: true });
    },
  };
}

/** Answers each file `question-…` of an agent with a file `reply-…`, from outside the sandbox. */
export function watchFor(folder: string, looks: Record<string, () => boolean | Promise<boolean>>) {
  const look = async () => {
    for (const [what, sees] of Object.entries(looks)) {
      const question = join(folder, `question-${what}`);
      if (!existsSync(question)) continue;
      const seen = await sees();
      rmSync(question);
      writeFileSync(join(folder, `reply-${what}`), seen ? 'yes' : 'no');
    }
  };
  const timer = setInterval(() => void look().catch(() => undefined), 20);
  return { close: () => clearInterval(timer) };
}

export function findProcess(mark: string): number | null {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (command.includes(mark)) return Number(pid);
    } catch {}
  }
  return null;
}

export function numberFor(observer: number, pid: number): number {
  const numbersOf = (each: number) => {
    const status = readFileSync(`/proc/${each}/status`, 'utf8');
    return (/^NSpid:\s+(.*)$/m.exec(status)?.[1] ?? `${each}`).split(/\s+/).map(Number);
  };
  const depth = numbersOf(observer).length;
  return numbersOf(pid)[depth - 1] ?? pid;
}

export async function freePort(): Promise<number> {
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
