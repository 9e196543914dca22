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

/** The rows of each table in the columns that it had at first, as far as it still has them. */
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

describe.each(['orchestration', 'metrics'])(
  'a database of %s with rows in every table',
  (product) => {
    const directory = join(PRISMA, product, 'migrations');

    it.each([
      ['the version before', -2],
      ['the first version', 0],
    ])('keeps them when it is migrated from %s', async (_from, at) => {
      const names = (await readMigrations(directory)).map((migration) => migration.name);
      const from = names.at(at) ?? (names[0] as string);
      await inNewDatabase(async (client, url) => {
        await migrate(url, directory, from);
        const filled = await oneRowEach(client);
        expect(filled.length).toBeGreaterThan(10);
        const tables = await columnsOf(client, filled);
        const before = await contentOf(client, tables);
        expect(await migrate(url, directory)).toEqual(names.slice(names.indexOf(from) + 1));
        const after = await contentOf(client, tables);
        // A migration may add rows, such as a series for what was mixed into another.
        for (const [table, rows] of Object.entries(before)) {
          expect({ table, rows: after[table] }).toEqual({
            table,
            rows: expect.arrayContaining(rows),
          });
        }
        expect(Object.values(before).every((rows) => rows.length === 1)).toBe(true);
      });
    });
  },
);

it('moves the time of cancelled issues out of the time of what is done', async () => {
  const directory = join(PRISMA, 'orchestration/migrations');
  const ended = '2026-01-02T03:04:05.000Z';
  await inNewDatabase(async (client, url) => {
    await migrate(url, directory, '0012_index_old_wakeups');
    await oneRowEach(client);
    await client.query(`UPDATE issue SET status = 'cancelled', completed_at = '${ended}'`);
    await client.query(`INSERT INTO issue (id, company_id, issue_number, identifier, title, status, completed_at)
      SELECT gen_random_uuid(), company_id, 8, 'DONE-8', 'x', 'done', completed_at FROM issue`);
    await migrate(url, directory, '0015_add_cancelled_at');
    const { rows } = await client.query(
      'SELECT status, completed_at, cancelled_at FROM issue ORDER BY status',
    );
    const time = new Date(ended);
    expect(rows).toEqual([
      { status: 'cancelled', completed_at: null, cancelled_at: time },
      { status: 'done', completed_at: time, cancelled_at: null },
    ]);
  });
});

it('tallies the issues and ended runs that are there, and those to come', async () => {
  const directory = join(PRISMA, 'orchestration/migrations');
  await inNewDatabase(async (client, url) => {
    await migrate(url, directory, '0020_bound_self_wakes');
    await oneRowEach(client);
    await client.query(`INSERT INTO issue (id, company_id, issue_number, identifier, title, status)
      SELECT gen_random_uuid(), company_id, n, 'DONE-' || n, 'x', 'done' FROM issue, generate_series(8, 9) n`);
    await client.query(
      `INSERT INTO heartbeat_run (id, company_id, agent_id, status, source, finished_at, created_at)
       SELECT gen_random_uuid(), company_id, agent_id, 'failed', 'manual', now(), now() - days * interval '1 day'
       FROM heartbeat_run, unnest(ARRAY[0, 0, 3, 90]) days`,
    );
    await migrate(url, directory, '0021_tally_statuses');
    await client.query("UPDATE issue SET status = 'cancelled' WHERE issue_number = 9");
    const { rows } = await client.query(
      `SELECT counted, status, sum(n)::int AS n,
         ARRAY_AGG(DISTINCT CASE WHEN isfinite(day) THEN (now() AT TIME ZONE 'UTC')::date - day END) AS ages
       FROM (SELECT counted, day, status, n FROM status_tally
         UNION ALL SELECT counted, day, status, n FROM status_change) part
       GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    expect(rows).toEqual([
      { counted: 'heartbeat_run', status: 'failed', n: 3, ages: [0, 3] },
      { counted: 'issue', status: 'backlog', n: 1, ages: [null] },
      { counted: 'issue', status: 'cancelled', n: 1, ages: [null] },
      { counted: 'issue', status: 'done', n: 1, ages: [null] },
    ]);
  });
});

it('sees a migration that loses a value', async () => {
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

it('tallies the issues of projects, goals and assignees that are there, and keeps who entered a secret', async () => {
  const directory = join(PRISMA, 'orchestration/migrations');
  await inNewDatabase(async (client, url) => {
    await migrate(url, directory, '0021_tally_statuses');
    await oneRowEach(client);
    await client.query('UPDATE issue SET goal_id = NULL');
    await client.query(`INSERT INTO issue (id, company_id, issue_number, identifier, title, status, project_id)
      SELECT gen_random_uuid(), company_id, n, 'DONE-' || n, 'x', 'done', project_id FROM issue, generate_series(8, 9) n`);
    await client.query(`UPDATE activity SET action = 'secret.created', actor_type = 'user', actor_id = 'somebody',
      entity_id = (SELECT id::text FROM secret)`);
    await migrate(url, directory, '0027_summarise_lists');
    await client.query("UPDATE issue SET status = 'cancelled' WHERE issue_number = 9");
    const { rows } = await client.query(
      `SELECT owner, status, sum(n)::int AS n FROM (
         SELECT owner_id, status, n FROM issue_tally UNION ALL SELECT owner_id, status, n FROM issue_tally_change
       ) part JOIN (SELECT id, 'agent' AS owner FROM agent UNION ALL SELECT id, 'project' FROM project) owners
         ON owners.id = owner_id
       GROUP BY 1, 2 HAVING sum(n) <> 0 ORDER BY 1, 2`,
    );
    expect(rows).toEqual([
      { owner: 'agent', status: 'backlog', n: 1 },
      { owner: 'project', status: 'backlog', n: 1 },
      { owner: 'project', status: 'cancelled', n: 1 },
      { owner: 'project', status: 'done', n: 1 },
    ]);
    const secrets = await client.query('SELECT created_by_user_id AS by FROM secret');
    expect(secrets.rows).toEqual([{ by: 'somebody' }]);
  });
});

it('stops at the migration that is named, and knows no other', async () => {
  const directory = join(PRISMA, 'orchestration/migrations');
  await inNewDatabase(async (_client, url) => {
    await expect(migrate(url, directory, '0000_none')).rejects.toThrow(
      'there is no migration 0000_none here',
    );
    const [first, second] = await readMigrations(directory);
    expect(await migrate(url, directory, first?.name)).toEqual([first?.name]);
    expect(await migrate(url, directory, second?.name)).toEqual([second?.name]);
  });
});

it('tells a database that was never migrated from one that is away', async () => {
  const open = (url: string) =>
    openPool({ url, size: 1, applicationName: 'test', onIdleError: () => undefined });
  await inNewDatabase(async (_client, url) => {
    const never = open(url);
    const refusal = 'the metrics database was never migrated, and this release needs';
    await expect(assertSchemaVersion(never, 'metrics')).rejects.toThrow(refusal);
    await expect(refuseOlderSchema(never, 'metrics')).rejects.toThrow(refusal);
    await never.end();
  });
  const away = open('postgresql://127.0.0.1:1/none');
  await expect(assertSchemaVersion(away, 'metrics')).rejects.toThrow('ECONNREFUSED');
  await refuseOlderSchema(away, 'metrics');
  await away.end();
});
