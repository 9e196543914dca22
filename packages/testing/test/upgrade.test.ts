import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  assertSchemaVersion,
  migrate,
  openPool,
  readMigrations,
  refuseOlderSchema,
} from '@switchyard/db';
import { Client } from 'pg';
import { administer, databaseUrl } from '../src';
import { oneRowEach } from './one-row-each';

const PRISMA = join(__dirname, '../../../prisma');

const COLUMNS = `
  SELECT column_name AS name FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name = $1 ORDER BY 1`;

async function contentOf(client: Client, tables: Map<string, string[]>) {
  const content: Record<string, unknown[]> = {};
  for (const [table, columns] of tables) {
    const { rows } = await client.query(`SELECT to_jsonb(t) AS row FROM "${table}" t`);
    content[table] = rows.map(({ row }) => columns.map((column) => [column, row[column]]));
  }
  return content;
}

async function columnsOf(client: Client, names: string[]): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const name of names) {
    const { rows } = await client.query<{ name: string }>(COLUMNS, [name]);
    tables.set(
      name,
      rows.map((row) => row.name),
    );
  }
  return tables;
}

async function inNewDatabase(work: (client: Client, url: string) => Promise<void>) {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE "${name}" TEMPLATE template0`);
  const client = new Client({ connectionString: databaseUrl(name) });
  try {
    await client.connect();
    await work(client, databaseUrl(name));
  } finally {
    await client.end();
    await administer(`DROP DATABASE "${name}" WITH (FORCE)`);
  }
}

describe.each(['orchestration', 'metrics'])('the migrations of %s', (product) => {
  it('keep every row of a database of the first version', async () => {
    const directory = join(PRISMA, product, 'migrations');
    const [first, ...later] = (await readMigrations(directory)).map(({ name }) => name);
    await inNewDatabase(async (client, url) => {
      await migrate(url, directory, first);
      const filled = await oneRowEach(client);
      expect(filled.length).toBeGreaterThan(10);
      const tables = await columnsOf(client, filled);
      const before = await contentOf(client, tables);
      expect(Object.values(before).every((rows) => rows.length === 1)).toBe(true);
      expect(await migrate(url, directory)).toEqual(later);
      const after = await contentOf(client, tables);
      for (const [table, rows] of Object.entries(before)) {
        expect({ table, rows: after[table] }).toEqual({
          table,
          rows: expect.arrayContaining(rows),
        });
      }
    });
  });
});

it('contentOf returns a different result after a value was shortened', async () => {
  await inNewDatabase(async (client) => {
    await client.query('CREATE TABLE a (id int NOT NULL, b text)');
    const tables = await columnsOf(client, await oneRowEach(client));
    const before = await contentOf(client, tables);
    expect(before).toEqual({
      a: [
        [
          ['b', 'text é'],
          ['id', 7],
        ],
      ],
    });
    await client.query('ALTER TABLE a ALTER COLUMN b TYPE varchar(2) USING left(b, 2)');
    expect(await contentOf(client, tables)).not.toEqual(before);
  });
});

it('refuseOlderSchema throws for a database without migrations, but not for an unreachable database', async () => {
  const open = (url: string) =>
    openPool({ url, size: 1, applicationName: 'test', onIdleError: () => undefined });
  await inNewDatabase(async (_client, url) => {
    const never = open(url);
    const refusal = 'the metrics database was never migrated, but this release requires';
    await expect(assertSchemaVersion(never, 'metrics')).rejects.toThrow(refusal);
    await expect(refuseOlderSchema(never, 'metrics')).rejects.toThrow(refusal);
    await never.end();
  });
  const away = open('postgresql://127.0.0.1:1/none');
  await expect(assertSchemaVersion(away, 'metrics')).rejects.toThrow('ECONNREFUSED');
  await refuseOlderSchema(away, 'metrics');
  await away.end();
});
