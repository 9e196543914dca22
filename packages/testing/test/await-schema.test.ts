import { awaitSchema, openPool, SCHEMA_VERSION } from '@switchyard/db';
import { cloneDatabase } from '../src/clone-database';

describe('awaitSchema', () => {
  it('returns only after the required migration has finished', async () => {
    const database = await cloneDatabase('metrics');
    const pool = openPool({
      url: database.ownerUrl,
      size: 1,
      applicationName: 'test',
      onIdleError: () => undefined,
    });
    const finish = (value: string) =>
      pool.query(
        `UPDATE _prisma_migrations SET finished_at = ${value} WHERE migration_name = '${SCHEMA_VERSION.metrics}'`,
      );
    try {
      await finish('NULL');
      const reasons: string[] = [];
      await awaitSchema({
        url: database.url,
        product: 'metrics',
        deadlineMs: 15_000,
        onWait: (reason) => {
          reasons.push(reason);
          void finish('now()');
        },
      });
      expect(reasons).toEqual([expect.stringContaining(SCHEMA_VERSION.metrics)]);
    } finally {
      await pool.end();
      await database.drop();
    }
  });

  it('throws the reason why the database cannot be reached', async () => {
    const url = 'postgresql://nobody@127.0.0.1:1/none';
    const wait = awaitSchema({ url, product: 'metrics', deadlineMs: 0, onWait: () => undefined });
    await expect(wait).rejects.toThrow(/ECONNREFUSED/);
  });
});
