import { existsSync, readFileSync } from 'node:fs';
import { connectAlone, openPool } from '@switchyard/db';
import { until } from '../src';

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
      const seconds = () => secondsToProbe(rows[0].port);
      await until('the packets to be acknowledged', () => Number.isFinite(seconds()));
      expect(seconds()).toBeLessThanOrEqual(10);
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
