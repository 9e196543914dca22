import { inNode } from './in-node';

test('isRecent returns true for Redis 6.2 and later, and for Valkey', () => {
  const answers = inNode(
    { 'launcher/dist/programs/redis.js': 'parseRedisVersion, isRecent' },
    `const texts = ['Redis server v=7.0.15 sha=0:0', 'Valkey server v=8.1.3 sha=0', 'Redis server v=6.2.0',
       'Redis server v=6.0.16 sha', 'Redis server v=5.0.14'];
     return [texts.map(parseRedisVersion).map((each) => [each.label, isRecent(each)]),
       parseRedisVersion('command not found') === undefined];`,
  );
  expect(answers).toEqual([
    [
      ['Redis 7.0.15', true],
      ['Valkey 8.1.3', true],
      ['Redis 6.2.0', true],
      ['Redis 6.0.16', false],
      ['Redis 5.0.14', false],
    ],
    true,
  ]);
});

test('parseVersion reads PostgreSQL’s version, and parsePidFile reads its pid file', () => {
  const answers = inNode(
    {
      'launcher/dist/postgres/binaries.js': 'parseVersion',
      'launcher/dist/postgres/cluster.js': 'parsePidFile',
    },
    `return [parseVersion('postgres (PostgreSQL) 18.4'), parseVersion('postgres (PostgreSQL) 15.18 (Debian)'),
       parsePidFile('4711\\n/data\\n1700000000\\n5433\\n\\n127.0.0.1\\n')];`,
  );
  expect(answers).toEqual(['18.4', '15.18', { pid: 4711, port: 5433 }]);
});

test('withDatabase replaces the database of a URL, and checkUrl refuses URLs of other systems', () => {
  const answer = inNode(
    {
      'launcher/dist/postgres/client.js': 'withDatabase, databaseName',
      'launcher/dist/databases.js': 'checkUrl',
    },
    `const url = 'postgresql://me:p%40ss@db:5432/board?sslmode=require';
     const refused = ['mysql://db/board', 'postgres://db', 'nonsense'].map((text) => {
       try { checkUrl('DATABASE_URL', text); return 'taken'; } catch (error) { return error.message; }
     });
     return [withDatabase(url, 'switchyard_metrics'), databaseName(url), refused];`,
  ) as [string, string, string[]];
  expect(answer[0]).toBe('postgresql://me:p%40ss@db:5432/switchyard_metrics?sslmode=require');
  expect(answer[1]).toBe('board');
  for (const message of answer[2]) expect(message).toMatch(/DATABASE_URL must be a PostgreSQL/);
});

test('isSupported returns false for old versions of Node', () => {
  const answers = inNode(
    { 'bootstrap/lib/check-node.mjs': 'isSupported' },
    `return ['18.20.8', '20.18.3', '20.19.0', '22.0.0'].map(isSupported);`,
  );
  expect(answers).toEqual([false, false, true, true]);
});
