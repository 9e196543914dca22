import { connectAlone } from '@switchyard/db';
import { silentLogger } from '@switchyard/server';
import { databaseUrl, until } from '@switchyard/testing';
import { useHarness } from '../../../../test/harness';
import { type Leases, openLeases } from './leases';

const LEASE_MS = 1_500;

describe('leases', () => {
  const harness = useHarness();
  const opened: Leases[] = [];

  const open = ({ url = harness.config.databaseUrl, leaseMs = LEASE_MS } = {}) => {
    const leases = openLeases({ url, leaseMs, logger: silentLogger });
    opened.push(leases);
    return leases;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((leases) => leases.close()));
  });

  const trackLiveRun = async (leases: Leases) => {
    const { id } = await harness.build.liveRun();
    return leases.track({ id, epoch: 1 });
  };

  it('can be renewed even while every connection of the pool is in use', async () => {
    const run = await trackLiveRun(open());
    const { pool } = harness.context.db;
    const watcher = await connectAlone({
      url: harness.config.databaseUrl,
      applicationName: 'test',
      timeoutMs: 5_000,
      onLost: () => undefined,
    });
    const leaseEnd = async () => {
      const sql = 'SELECT lease_expires_at FROM heartbeat_run WHERE id = $1';
      const { rows } = await watcher.query<{ lease_expires_at: Date }>(sql, [run.id]);
      return rows[0]?.lease_expires_at.getTime() ?? 0;
    };
    const size = harness.config.databasePoolSize;
    const taken = await Promise.all(Array.from({ length: size }, () => pool.connect()));
    try {
      const first = await until('the first renewal', async () => {
        const end = await leaseEnd();
        return end < Date.now() + 10 * LEASE_MS ? end : null;
      });
      const isRenewed = async () => (await leaseEnd()) > first + 3 * LEASE_MS;
      await until('renewals for three leases', isRenewed);
      expect(run.abortReason()).toBeNull();
    } finally {
      for (const client of taken) client.release();
      await watcher.end();
    }
  });

  it.each([
    ['lost', 'another worker has claimed it', 'epoch = epoch + 1'],
    ['cancelled', 'its cancellation was requested', 'cancel_requested_at = now()'],
    ['lost', 'it has ended', `status = 'failed', finished_at = now()`],
  ])('abort a run as %s if %s', async (reason, _when, change) => {
    const run = await trackLiveRun(open());
    await harness.context.db.pool.query(`UPDATE heartbeat_run SET ${change} WHERE id = $1`, [
      run.id,
    ]);
    await until('the abort', () => run.signal.aborted);
    expect(run.abortReason()).toBe(reason);
  });

  it('expire if the database is unreachable for longer than the lease', async () => {
    const url = databaseUrl('a_database_that_is_not_there');
    const run = await trackLiveRun(open({ url, leaseMs: 300 }));
    await until('the abort', () => run.signal.aborted);
    expect(run.abortReason()).toBe('lost');
  });
});
