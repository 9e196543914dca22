import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, readMigrations } from '@switchyard/db';
import { Client } from 'pg';
import { administer, databaseUrl, until } from '../src';

describe('migrate', () => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = () => databaseUrl(name);
  let folder: string;
  let client: Client;

  beforeEach(async () => {
    await administer(`CREATE DATABASE "${name}" TEMPLATE template0`);
    folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    client = new Client({ connectionString: url() });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await administer(`DROP DATABASE "${name}" WITH (FORCE)`);
    await rm(folder, { recursive: true });
  });

  const write = async (migration: string, sql: string) => {
    await mkdir(join(folder, migration), { recursive: true });
    await writeFile(join(folder, migration, 'migration.sql'), sql);
  };
  const applied = async () => {
    const { rows } = await client.query(
      'SELECT migration_name, checksum, finished_at, applied_steps_count FROM _prisma_migrations ORDER BY started_at',
    );
    return rows;
  };
  const tables = async () => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
    );
    return rows.map((row) => row.name).filter((table) => table !== '_prisma_migrations');
  };

  it('applies missing migrations in order, and each only once', async () => {
    await write('0002_fill_one', 'INSERT INTO one VALUES (1)');
    await write('0001_create_one', 'CREATE TABLE one (id int)');
    await writeFile(join(folder, 'migration_lock.toml'), 'provider = "postgresql"');
    expect(await migrate(url(), folder)).toEqual(['0001_create_one', '0002_fill_one']);
    expect(await migrate(url(), folder)).toEqual([]);
    await write('0003_create_two', 'CREATE TABLE two (id int); CREATE TABLE three (id int)');
    expect(await migrate(url(), folder)).toEqual(['0003_create_two']);
    expect(await tables()).toEqual(['one', 'three', 'two']);
    const [first] = await readMigrations(folder);
    expect((await applied())[0]).toEqual({
      migration_name: '0001_create_one',
      checksum: first?.checksum,
      finished_at: expect.any(Date),
      applied_steps_count: 1,
    });
    expect(first?.checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  it('stops after the requested migration, and rejects an unknown name', async () => {
    await write('0001_create_one', 'CREATE TABLE one (id int)');
    await write('0002_create_two', 'CREATE TABLE two (id int)');
    await expect(migrate(url(), folder, '0000_none')).rejects.toThrow(
      'this release does not contain the migration 0000_none',
    );
    expect(await migrate(url(), folder, '0001_create_one')).toEqual(['0001_create_one']);
    expect(await migrate(url(), folder, '0002_create_two')).toEqual(['0002_create_two']);
  });

  it('applies each migration once for three concurrent callers', async () => {
    await write('0001_create_one', 'CREATE TABLE one (id int); SELECT pg_sleep(0.1)');
    await write('0002_fill_one', 'INSERT INTO one VALUES (1)');
    const done = await Promise.all([1, 2, 3].map(() => migrate(url(), folder)));
    expect(done.flat().sort()).toEqual(['0001_create_one', '0002_fill_one']);
    expect((await client.query('SELECT * FROM one')).rows).toEqual([{ id: 1 }]);
    expect(await applied()).toHaveLength(2);
  });

  it('refuses a migration whose file was changed after it was applied', async () => {
    await write('0001_create_one', 'CREATE TABLE one (id int)');
    await migrate(url(), folder);
    await write('0001_create_one', 'CREATE TABLE one (id bigint)');
    await write('0002_create_two', 'CREATE TABLE two (id int)');
    await expect(migrate(url(), folder)).rejects.toThrow(
      'migration 0001_create_one was changed after it was applied',
    );
    expect(await tables()).toEqual(['one']);
  });

  it('rolls back a failing migration, and repeats it in the next call', async () => {
    await write('0001_create_one', 'CREATE TABLE one (id int)');
    await write('0002_break', 'CREATE TABLE two (id int); SELECT nothing_like_this()');
    await write('0003_create_three', 'CREATE TABLE three (id int)');
    await expect(migrate(url(), folder)).rejects.toThrow(
      /^migration 0002_break failed and was rolled back: .*nothing_like_this/,
    );
    expect(await tables()).toEqual(['one']);
    expect(await applied()).toHaveLength(1);
    await write('0002_break', 'CREATE TABLE two (id int)');
    expect(await migrate(url(), folder)).toEqual(['0002_break', '0003_create_three']);
  });

  it('stops at an unfinished migration, and the error names the next step for the operator', async () => {
    await write('0001_create_one', 'CREATE TABLE one (id int)');
    await migrate(url(), folder);
    await client.query('UPDATE _prisma_migrations SET finished_at = NULL');
    await write('0002_create_two', 'CREATE TABLE two (id int)');
    await expect(migrate(url(), folder)).rejects.toThrow(
      /^migration 0001_create_one was started but not finished; repair the database, .*rolled_back_at.*finished_at/,
    );
    expect(await tables()).toEqual(['one']);
    await client.query('UPDATE _prisma_migrations SET finished_at = now()');
    expect(await migrate(url(), folder)).toEqual(['0002_create_two']);
  });

  it('repeats a migration that was rolled back, and refuses a folder without an SQL file', async () => {
    await write('0001_create_one', 'CREATE TABLE IF NOT EXISTS one (id int)');
    await migrate(url(), folder);
    await client.query('UPDATE _prisma_migrations SET rolled_back_at = now()');
    expect(await migrate(url(), folder)).toEqual(['0001_create_one']);
    await mkdir(join(folder, '0002_empty'));
    await expect(migrate(url(), folder)).rejects.toThrow('0002_empty');
  });

  it('releases its lock after a failure', async () => {
    await write('0001_break', 'SELECT nothing_like_this()');
    await expect(migrate(url(), folder)).rejects.toThrow();
    const held = `SELECT 1 FROM pg_locks JOIN pg_database d ON d.oid = database
      WHERE locktype = 'advisory' AND d.datname = current_database()`;
    await until('the lock to go', async () => (await client.query(held)).rows.length === 0);
  });
});
