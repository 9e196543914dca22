import net from 'node:net';
import { freePort } from '@switchyard/testing';
import { inNode } from './in-node';

const choose = (wanted: unknown[], env: Record<string, string>) =>
  inNode(
    { 'launcher/dist/ports.js': 'choosePorts' },
    `return choosePorts(${JSON.stringify(wanted)}, ${JSON.stringify(env)}).catch((error) => error.message);`,
  );

let taken: net.Server;
let port: number;

beforeAll(async () => {
  taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  port = (taken.address() as net.AddressInfo).port;
});

afterAll(() => new Promise((resolve) => taken.close(resolve)));

test('choosePorts replaces an occupied default port, and reports the new port', () => {
  const answer = choose([['MARKET_METRICS_PORT', port, '127.0.0.1']], {}) as {
    ports: Record<string, number>;
    moved: unknown[];
  };
  expect(answer.ports.MARKET_METRICS_PORT).not.toBe(port);
  expect(answer.moved).toEqual([['MARKET_METRICS_PORT', port, answer.ports.MARKET_METRICS_PORT]]);
});

test('choosePorts fails if a port set by a variable is occupied, and the error names the port and the variable', () => {
  const wanted = [['MARKET_METRICS_PORT', 3200, '127.0.0.1']];
  expect(choose(wanted, { MARKET_METRICS_PORT: String(port) })).toMatch(
    `Port ${port} of MARKET_METRICS_PORT is used`,
  );
  expect(choose(wanted, { MARKET_METRICS_PORT: '0x' })).toBe(
    'MARKET_METRICS_PORT=0x is not a valid port.',
  );
});

test('choosePorts never assigns a port that a variable sets', async () => {
  const free = await freePort();
  const wanted = [
    ['WORKER_PORT', free, '127.0.0.1'],
    ['MARKET_METRICS_PORT', 3200, '127.0.0.1'],
  ];
  const { ports } = choose(wanted, { MARKET_METRICS_PORT: String(free) }) as {
    ports: Record<string, number>;
  };
  expect(ports.MARKET_METRICS_PORT).toBe(free);
  expect(ports.WORKER_PORT).not.toBe(free);
});
