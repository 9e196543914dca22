import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { borrowConnection } from './borrowed-connection';
import { connectAlone, openPool } from './pool';

const message = (type: string, content: Buffer) => {
  const size = Buffer.alloc(4);
  size.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), size, content]);
};
const READY = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
const STOPS = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

it('the process survives if the database closes a connection during its startup', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.once('data', () => socket.end(Buffer.concat([...READY, STOPS])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `postgres://u:p@127.0.0.1:${port}/d`;
  const pool = openPool({ url, size: 1, applicationName: 'a test', onIdleError: () => undefined });
  const borrowed = await borrowConnection(pool);
  await expect(borrowed.client.query('SELECT 1')).rejects.toThrow();
  borrowed.returnToPool();
  await pool.end();
  for (const socket of sockets) socket.destroy();
  server.close();
});

const TCP_TABLES = ['/proc/net/tcp', '/proc/net/tcp6'].filter(existsSync);
const KEEP_ALIVE_TIMER = '02';
const CLOCK_TICKS = 100;

if (TCP_TABLES.length > 0)
  it('the kernel probes an idle connection within 10 s, because a silent server never closes it', async () => {
    const common = { url: process.env.TEST_DATABASE_URL as string, applicationName: 'a test' };
    const pool = openPool({ ...common, size: 1, onIdleError: () => undefined });
    const client = await connectAlone({ ...common, timeoutMs: 5_000, onLost: () => undefined });
    for (const connection of [pool, client]) {
      const { rows } = await connection.query('SELECT inet_client_port() AS port');
      expect(secondsToProbe(rows[0].port)).toBeLessThanOrEqual(10);
    }
    await pool.end();
    await client.end();
  });

/** Returns infinity if the kernel does not probe the connection of the local port. */
function secondsToProbe(port: number): number {
  const local = new RegExp(`:${port.toString(16).toUpperCase().padStart(4, '0')}$`);
  const lines = TCP_TABLES.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const fields = lines.map((line) => line.trim().split(/\s+/));
  const timer = fields.find(([, address = '']) => local.test(address))?.[5] ?? '';
  const [kind, ticks = ''] = timer.split(':');
  if (kind !== KEEP_ALIVE_TIMER) return Number.POSITIVE_INFINITY;
  return Number.parseInt(ticks, 16) / CLOCK_TICKS;
}
