import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_VERSION } from '@switchyard/db';
import { Client } from 'pg';
import { administer, type ClonedDatabase, cloneDatabase, databaseUrl } from '../src';
import { HAND_WRITTEN, UNBOUND_REFERENCES } from './hand-written';

const ROOT = join(__dirname, '../../..');
const SCHEMAS = {
  orchestration: 'prisma/orchestration/schema',
  metrics: 'prisma/metrics/schema',
} as const;
type Product = keyof typeof SCHEMAS;

const COLUMNS = `
  SELECT table_name || '.' || column_name AS column, udt_name, is_nullable, column_default,
    character_maximum_length, numeric_precision, numeric_scale, datetime_precision
  FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name <> '_prisma_migrations' ORDER BY 1`;

const CONSTRAINTS = `
  SELECT conrelid::regclass::text AS "table", conname AS name, contype AS kind,
    pg_get_constraintdef(oid) AS definition
  FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
    AND conrelid::regclass::text <> '_prisma_migrations' AND contype <> 'n'
  ORDER BY 1, 2`;

const INDEXES = `
  SELECT tablename AS "table", indexname AS name, indexdef AS definition FROM pg_indexes
  WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1, 2`;

const OWNED_REFERENCES = `
  SELECT conname AS name,
    ARRAY(SELECT attname::text FROM unnest(confkey) key
      JOIN pg_attribute ON attrelid = confrelid AND attnum = key) AS referenced
  FROM pg_constraint
  WHERE contype = 'f' AND EXISTS (
    SELECT 1 FROM pg_attribute WHERE attrelid = confrelid AND attname = 'company_id' AND attnum > 0)
  ORDER BY 1`;

const UNBOUND = `
  SELECT table_name || '.' || column_name AS column FROM information_schema.columns
  WHERE table_schema = 'public' AND udt_name = 'uuid' AND column_name <> 'id'
    AND NOT EXISTS (SELECT 1 FROM pg_constraint
      JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
      WHERE contype = 'f' AND conrelid::regclass::text = table_name AND attname = column_name)
  ORDER BY 1`;

const OF_COLLECTION =
  'FOREIGN KEY (collection_ref) REFERENCES collection(id) ON UPDATE CASCADE ON DELETE CASCADE';

interface Named {
  table: string;
  name: string;
  kind?: string;
  definition: string;
}

async function read(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const columns = (await client.query(COLUMNS)).rows;
    const constraints = (await client.query<Named>(CONSTRAINTS)).rows;
    const indexes = (await client.query<Named>(INDEXES)).rows;
    const owned = (await client.query<{ name: string; referenced: string[] }>(OWNED_REFERENCES))
      .rows;
    const unbound = (await client.query<{ column: string }>(UNBOUND)).rows;
    return { columns, constraints, indexes, owned, unbound: unbound.map((row) => row.column) };
  } finally {
    await client.end();
  }
}

function schemaSql(product: Product): string {
  const arguments_ = ['packages/db/bin/schema-sql.mjs', 'empty', SCHEMAS[product]];
  const { status, stdout, stderr } = spawnSync(process.execPath, arguments_, {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: databaseUrl('postgres') },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

async function databaseFrom(sql: string): Promise<Pick<ClonedDatabase, 'url' | 'drop'>> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE "${name}" TEMPLATE template0`);
  const client = new Client({ connectionString: databaseUrl(name) });
  await client.connect();
  await client.query(sql).finally(() => client.end());
  const drop = () => administer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  return { url: databaseUrl(name), drop };
}

function byTable(all: Named[]): Record<string, string[]> {
  const tables: Record<string, string[]> = {};
  for (const { table, name } of all) tables[table] = [...(tables[table] ?? []), name];
  return tables;
}

describe.each(Object.keys(SCHEMAS) as Product[])('the migrations of %s', (product) => {
  let migrated: Awaited<ReturnType<typeof read>>;
  let declared: Awaited<ReturnType<typeof read>>;

  beforeAll(async () => {
    const clone = await cloneDatabase(product);
    const fresh = await databaseFrom(schemaSql(product));
    migrated = await read(clone.ownerUrl);
    declared = await read(fresh.url);
    await clone.drop();
    await fresh.drop();
  });

  it('create exactly the columns of the Prisma schema', () => {
    expect(migrated.columns.length).toBeGreaterThan(5);
    expect(migrated.columns).toEqual(declared.columns);
  });

  it('create the keys of the Prisma schema, and no checks except those that the test lists', () => {
    const isCheck = (one: Named) => one.kind === 'c';
    const known = new Set(declared.constraints.map((one) => one.name));
    const isOfCollection = (one: Named) =>
      !known.has(one.name) && one.definition === OF_COLLECTION && product === 'metrics';
    const byPrisma = migrated.constraints.filter((one) => !isCheck(one) && !isOfCollection(one));
    expect(byPrisma).toEqual(declared.constraints);
    expect(byTable(migrated.constraints.filter(isCheck))).toEqual(HAND_WRITTEN[product].checks);
  });

  it('create the indexes of the Prisma schema, and no others except those that the test lists', () => {
    const known = new Set(declared.indexes.map((one) => one.name));
    const further = migrated.indexes.filter((one) => !known.has(one.name));
    expect(migrated.indexes.filter((one) => known.has(one.name))).toEqual(declared.indexes);
    expect(byTable(further)).toEqual(HAND_WRITTEN[product].indexes);
  });

  it('end with the schema version that the code expects', () => {
    const folder = join(ROOT, 'prisma', product, 'migrations');
    const names = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
    const sorted = names.map((one) => one.name).sort();
    expect(SCHEMA_VERSION[product]).toBe(sorted.at(-1));
    const numbers = sorted.map((name) => /^(\d{4})(?:_[a-z]+)+$/.exec(name)?.[1]);
    expect(numbers).not.toContain(undefined);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('create foreign keys that include the company, except for the references that the test lists', () => {
    expect(migrated.owned.filter((key) => !key.referenced.includes('company_id'))).toEqual([]);
    const listed = product === 'orchestration' ? UNBOUND_REFERENCES : [];
    expect(migrated.unbound).toEqual(listed);
  });
});

describe('the comparison of two schemas', () => {
  it('detects a different column, key or index', async () => {
    const one = await databaseFrom('CREATE TABLE a (id uuid PRIMARY KEY, b text)');
    const other = await databaseFrom(
      'CREATE TABLE a (id uuid, company_id uuid, b varchar(5) NOT NULL DEFAULT 1, x_id uuid); CREATE INDEX i ON a (b);' +
        'CREATE TABLE c (id uuid UNIQUE, company_id uuid); ALTER TABLE a ADD CONSTRAINT f FOREIGN KEY (company_id) REFERENCES c (id)',
    );
    const [left, right] = [await read(one.url), await read(other.url)];
    await one.drop();
    await other.drop();
    expect(left.columns).not.toEqual(right.columns);
    expect(left.constraints).not.toEqual(right.constraints);
    expect(left.indexes).not.toEqual(right.indexes);
    expect(right.owned).toEqual([{ name: 'f', referenced: ['id'] }]);
    expect(right.unbound).toEqual(['a.x_id', 'c.company_id']);
  });
});
