import { assertServerVersion, openPool } from '@switchyard/db';
import { connectShared, problemIn, versionProblem } from '@switchyard/queue';
import { databaseUrl, redisUrl } from '@switchyard/testing';

it('assertServerVersion throws if PostgreSQL is older than required, and the error names both versions', async () => {
  const pool = openPool({
    url: databaseUrl('postgres'),
    size: 1,
    applicationName: 'versions-test',
    onIdleError: () => undefined,
  });
  try {
    await assertServerVersion(pool);
    await expect(assertServerVersion(pool, 99)).rejects.toThrow(
      /^PostgreSQL \d+\.\d+.* is too old: Switchyard requires 99 or later$/,
    );
  } finally {
    await pool.end();
  }
});

it('versionProblem accepts the Redis of the tests, and problemIn names the version of an outdated Redis', async () => {
  const redis = connectShared(redisUrl(), () => undefined);
  try {
    expect(await versionProblem(redis)).toBeNull();
  } finally {
    redis.disconnect();
  }
  const said = (version: string) =>
    problemIn(`# Server\r\nredis_version:${version}\r\nos:Linux\r\n`);
  expect(said('6.2.0')).toBeNull();
  expect(said('10.0.1')).toBeNull();
  expect(said('6.0.16')).toBe(
    'Redis 6.0.16 is too old: Switchyard requires 6.2 or later, or Valkey',
  );
  expect(said('5.0.14')).toMatch(/too old/);
  expect(problemIn('nothing')).toBeNull();
});
