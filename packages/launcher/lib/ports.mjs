import net from 'node:net';
import { problem } from './problem.mjs';

const NEIGHBOURS = 50;
const STRIDE = 10;

/** '' when free, else the error code: EADDRINUSE, EACCES, EADDRNOTAVAIL. */
export function whyNotFree(port, host) {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', (error) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve('')));
  });
}

export function anyFreePort(host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export async function freePort(preferred) {
  if (preferred && (await whyNotFree(preferred, '127.0.0.1')) === '') return preferred;
  return anyFreePort();
}

export function parsePort(name, text) {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw problem(`${name}=${text} is not a port.`, `Set ${name} to a number from 1 to 65535.`);
}

const REASONS = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'is not allowed for this account (ports below 1024 need root)',
};

async function asked(name, text, host, chosen) {
  const port = parsePort(name, text);
  const twin = [...chosen].find(([, other]) => other === port);
  if (twin)
    throw problem(`${name} and ${twin[0]} both ask for port ${port}.`, 'Change one of them.');
  const code = await whyNotFree(port, host);
  if (code === '') return port;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    throw problem(`HOST=${host} is not an address of this machine.`, 'Set HOST to one that is.');
  }
  throw problem(
    `Port ${port}, asked for by ${name}, ${REASONS[code] ?? `cannot be used (${code})`}.`,
    `Free it, set ${name} to another port, or unset ${name} to have a free one chosen.`,
  );
}

async function byDefault(port, host, chosen) {
  const used = new Set(chosen.values());
  for (let step = 0; step < NEIGHBOURS; step += 1) {
    const candidate = port + step * STRIDE;
    if (used.has(candidate)) continue;
    const code = await whyNotFree(candidate, host);
    if (code === '') return candidate;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') {
      throw problem(
        `HOST=${host} cannot be listened on (${code}).`,
        'Set HOST to an address of this machine.',
      );
    }
  }
  return anyFreePort(host);
}

/** Asked-for ports first: a default must never take one of them. `wanted`: [name, default, host]. */
export async function choosePorts(wanted, env) {
  const chosen = new Map();
  const moved = [];
  for (const [name, , host] of wanted) {
    if (env[name]) chosen.set(name, await asked(name, env[name], host, chosen));
  }
  for (const [name, port, host] of wanted) {
    if (chosen.has(name)) continue;
    chosen.set(name, await byDefault(port, host, chosen));
    if (chosen.get(name) !== port) moved.push([name, port, chosen.get(name)]);
  }
  return { ports: Object.fromEntries(chosen), moved };
}
