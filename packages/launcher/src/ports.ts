import { once } from 'node:events';
import net from 'node:net';
import { UserError } from '@switchyard/bootstrap/user-error';

const NEIGHBOURS = 50;
const STRIDE = 10;

/** Variable, default, and what it listens on. */
export type Wanted = readonly [name: string, port: number, host: string];
export type Ports = Record<string, number>;

/** Asked-for ports first: a default must never take one of them. */
export async function choosePorts(wanted: Wanted[], env: NodeJS.ProcessEnv) {
  const ports: Ports = {};
  const moved: [name: string, usual: number, port: number][] = [];
  for (const [name, , host] of wanted) {
    const text = env[name];
    if (text) ports[name] = await asked(name, text, host, ports);
  }
  for (const [name, usual, host] of wanted.filter(([each]) => !ports[each])) {
    const port = await byDefault(usual, host, Object.values(ports));
    ports[name] = port;
    if (port !== usual) moved.push([name, usual, port]);
  }
  return { ports, moved };
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'is not allowed for this account (ports below 1024 need root)',
};

async function asked(name: string, text: string, host: string, chosen: Ports): Promise<number> {
  const port = Number(text);
  if (!Number.isInteger(port) || port <= 0 || port >= 65_536) {
    const next = `Set ${name} to a number from 1 to 65535.`;
    throw new UserError(`${name}=${text} is not a port.`, next);
  }
  const twin = Object.keys(chosen).find((other) => chosen[other] === port);
  if (twin)
    throw new UserError(`${name} and ${twin} both ask for port ${port}.`, 'Change one of them.');
  const code = await whyNotFree(port, host);
  if (code === '') return port;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    throw new UserError(
      `HOST=${host} is not an address of this machine.`,
      'Set HOST to one that is.',
    );
  }
  throw new UserError(
    `Port ${port}, asked for by ${name}, ${REASONS[code] ?? `cannot be used (${code})`}.`,
    `Free it, set ${name} to another port, or unset ${name} to have a free one chosen.`,
  );
}

async function byDefault(usual: number, host: string, used: number[]): Promise<number> {
  for (let step = 0; step < NEIGHBOURS; step += 1) {
    const candidate = usual + step * STRIDE;
    if (used.includes(candidate)) continue;
    const code = await whyNotFree(candidate, host);
    if (code === '') return candidate;
    if (!REASONS[code]) {
      throw new UserError(
        `HOST=${host} cannot be listened on (${code}).`,
        'Set HOST to an address of this machine.',
      );
    }
  }
  return listenOnce(0, host);
}

export async function freePort(preferred?: number): Promise<number> {
  if (preferred && (await whyNotFree(preferred, '127.0.0.1')) === '') return preferred;
  return listenOnce(0, '127.0.0.1');
}

/** '' when free, else the error code: EADDRINUSE, EACCES, EADDRNOTAVAIL. */
const whyNotFree = (port: number, host: string): Promise<string> =>
  listenOnce(port, host).then(
    () => '',
    (error) => error.code,
  );

async function listenOnce(port: number, host: string): Promise<number> {
  const server = net.createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  const { port: taken } = server.address() as net.AddressInfo;
  await once(server.close(), 'close');
  return taken;
}
