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
import { administer, databaseUrl, until } from '../src';
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

it('the migration 0015_count_company_text waits for a transaction that writes to several tables', async () => {
  const directory = join(PRISMA, 'orchestration/migrations');
  await inNewDatabase(async (client, url) => {
    await migrate(url, directory, '0014_record_confirmations');
    await client.query('BEGIN; LOCK TABLE agent_config_revision IN ROW EXCLUSIVE MODE');
    const migrated = migrate(url, directory, '0015_count_company_text');
    migrated.catch(() => undefined);
    const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass';
    await until('the migration waits', async () => {
      return ((await client.query(waiting, ['agent_config_revision'])).rowCount ?? 0) > 0;
    });
    await client.query('LOCK TABLE issue IN ROW EXCLUSIVE MODE; COMMIT');
    expect(await migrated).toEqual(['0015_count_company_text']);
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

it('a migration fills the daily cost totals from existing events', async () => {
  const directory = join(PRISMA, 'orchestration/migrations');
  await inNewDatabase(async (client, url) => {
    await migrate(url, directory, '0009_mark_unknown_sources');
    await client.query(`
      INSERT INTO company (id, name, issue_prefix) SELECT gen_random_uuid(), 'Company ' || n, 'CMP' || n FROM generate_series(1, 2) n;
      INSERT INTO agent (id, company_id, name, role, adapter_type)
        SELECT gen_random_uuid(), id, 'Agent', 'engineer', 'external' FROM company;
      INSERT INTO cost_event (id, company_id, agent_id, provider, model, cost_cents, input_tokens, output_tokens, unpriced, created_at)
        SELECT gen_random_uuid(), a.company_id, a.id, 'p' || n % 2, 'm' || n % 3, CASE WHEN n % 5 > 0 THEN n ELSE 0 END, n, 2 * n, n % 5 = 0,
          '2024-02-28T23:59:59.999Z'::timestamptz + n % 3 * interval '1 millisecond'
        FROM agent a, generate_series(1, 100) n`);
    await migrate(url, directory);
    const sums = `sum(cost_cents)::int AS cents, sum(input_tokens)::int AS input, sum(output_tokens)::int AS output`;
    const { rows: tallied } = await client.query(
      `SELECT company_id, day::text, agent_id, provider, model, ${sums}, sum(unpriced_events)::int AS unpriced, sum(events)::int AS n
       FROM cost_day GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    );
    const { rows: counted } = await client.query(
      `SELECT company_id, (created_at AT TIME ZONE 'UTC')::date::text AS day, agent_id, provider, model, ${sums},
         count(*) FILTER (WHERE unpriced)::int AS unpriced, count(*)::int AS n
       FROM cost_event GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
    );
    expect(tallied).toEqual(counted);
    expect(tallied.length).toBeGreaterThan(10);
  });
});

it('a migration adds up the size of existing texts, and later changes to texts update the total', async () => {
  const directory = join(PRISMA, 'orchestration/migrations');
  await inNewDatabase(async (client, url) => {
    await migrate(url, directory, '0014_record_confirmations');
    const company = '00000000-0000-7000-8000-000000000000';
    await client.query(`
      INSERT INTO company (id, name, issue_prefix) VALUES ('${company}', 'Company', 'CMP');
      INSERT INTO goal (id, company_id, title, description) VALUES (gen_random_uuid(), '${company}', 'four', 'é');
      INSERT INTO project (id, company_id, name) VALUES (gen_random_uuid(), '${company}', 'seven77')`);
    await migrate(url, directory);
    const counted = async () => {
      const { rows } = await client.query('SELECT sum(bytes)::int AS bytes FROM company_text');
      return rows[0].bytes;
    };
    expect(await counted()).toBe(6 + 7);
    await client.query(`UPDATE goal SET description = NULL`);
    await client.query(`DELETE FROM project`);
    await client.query(`
      INSERT INTO goal (id, company_id, title)
      SELECT gen_random_uuid(), '${company}', 'goal' FROM generate_series(1, 1000)`);
    expect(await counted()).toBe(4 + 4_000);
  });
});

it('a migration counts the payloads of existing firings, and makes the database count later payloads', async () => {
  const directory = join(PRISMA, 'orchestration/migrations');
  await inNewDatabase(async (client, url) => {
    await migrate(url, directory, '0018_add_endpoints');
    await oneRowEach(client);
    const counted = async () => {
      const { rows } = await client.query('SELECT sum(bytes)::int AS bytes FROM company_text');
      return rows[0].bytes;
    };
    await client.query(
      `UPDATE routine_run SET payload = '{"a": 1}'; UPDATE company_text SET bytes = 1`,
    );
    await migrate(url, directory);
    expect(await counted()).toBe(1 + 8);
    const fire = (payload: string) =>
      client.query(
        `INSERT INTO routine_run (id, company_id, routine_id, source, status, payload, completed_at)
         SELECT gen_random_uuid(), company_id, routine_id, 'manual', 'failed', $1, now() FROM routine_run LIMIT 1
         RETURNING id`,
        [payload],
      );
    const { rows } = await fire('{"é": 1}');
    expect(await counted()).toBe(1 + 8 + 9);
    await client.query('DELETE FROM routine_run WHERE id = $1', [rows[0].id]);
    expect(await counted()).toBe(1 + 8);
  });
});

describe('names that have the same key after a migration', () => {
  it('do not change, while the oldest row gets the plain key and every other row a distinct key', async () => {
    const directory = join(PRISMA, 'orchestration/migrations');
    await inNewDatabase(async (client, url) => {
      await migrate(url, directory, '0002_routine_run_delivery');
      const company = '00000000-0000-7000-8000-000000000000';
      await client.query(
        `INSERT INTO company (id, name, issue_prefix) VALUES ($1, 'Company', 'CMP')`,
        [company],
      );
      const names = ['Zoë', 'Zoe\u0308', 'zoë\u200b', 'QA  Team ', 'STRASSE', 'Straße', 'Other'];
      for (const [at, name] of names.entries()) {
        await client.query(
          `INSERT INTO agent (id, company_id, name, role, adapter_type, created_at)
           VALUES ($1, $2, $3, 'engineer', 'external', now() + $4 * interval '1 s')`,
          [`00000000-0000-7000-8000-00000000000${at}`, company, name, at],
        );
        await client.query(
          `INSERT INTO label (id, company_id, name, key, created_at)
           VALUES ($1, $2, $3, $3, now() + $4 * interval '1 s')`,
          [`00000000-0000-7000-8000-00000000001${at}`, company, name, at],
        );
      }
      await migrate(url, directory);
      const { rows } = await client.query(
        `SELECT name, replace(name_key, id::text, 'id') AS key FROM agent ORDER BY created_at`,
      );
      const keys = ['zoë', 'zoë id', 'zoë id', 'qa team', 'strasse', 'strasse id', 'other'];
      expect(rows).toEqual(names.map((name, at) => ({ name, key: keys[at] })));
      const { rows: labels } = await client.query('SELECT key FROM label ORDER BY created_at');
      expect(labels.map(({ key }) => key)).toEqual([
        'zoë',
        'Zoe\u0308',
        'zoë\u200b',
        'qa team',
        'strasse',
        'Straße',
        'other',
      ]);
    });
  });
});
