import { UserError } from '@switchyard/bootstrap/user-error';
import getPort from 'get-port';

const NEIGHBOURS = 50;
const STRIDE = 10;

export type Wanted = readonly [name: string, port: number, host: string];
export type Ports = Record<string, number>;

export async function choosePorts(wanted: Wanted[], env: NodeJS.ProcessEnv) {
  const ports: Ports = {};
  const moved: [name: string, usual: number, port: number][] = [];
  for (const [name, , host] of wanted) {
    const text = env[name];
    if (text) ports[name] = await asked(name, text, host, ports);
  }
  for (const [name, usual, host] of wanted.filter(([each]) => !ports[each])) {
    const near = Array.from({ length: NEIGHBOURS }, (_, step) => usual + step * STRIDE);
    const port = await firstFree(near, host);
    ports[name] = port;
    if (port !== usual) moved.push([name, usual, port]);
  }
  return { ports, moved };
}

async function asked(name: string, text: string, host: string, chosen: Ports): Promise<number> {
  const port = Number(text);
  if (!Number.isInteger(port) || port <= 0 || port >= 65_536) {
    const next = `Set ${name} to a number from 1 to 65535.`;
    throw new UserError(`${name}=${text} is not a valid port.`, next);
  }
  const twin = Object.keys(chosen).find((other) => chosen[other] === port);
  if (twin) {
    throw new UserError(`${name} and ${twin} both use port ${port}.`, 'Change one of them.');
  }
  if ((await firstFree([port], host)) === port) return port;
  const root =
    port < 1024 && process.getuid?.() !== 0 ? ', or requires root like all ports below 1024' : '';
  throw new UserError(
    `Port ${port} of ${name} is used by another program${root}.`,
    `Stop that program, set ${name} to another port, or unset ${name} to use any free port.`,
  );
}

async function firstFree(port: number[], host: string): Promise<number> {
  try {
    return await getPort({ port, host });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(
      `Switchyard cannot listen on HOST=${host} (${code}).`,
      'Set HOST to an address of this machine.',
    );
  }
}

export const freePort = (preferred?: number): Promise<number> =>
  getPort({ host: '127.0.0.1', ...(preferred && { port: preferred }) });
