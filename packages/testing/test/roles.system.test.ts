import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { migrateAsOwner, prepareGiven, readRoles } from '@switchyard/db';
import { Client } from 'pg';
import { administer, databaseUrl } from '../src';
import { oneRowEach } from './one-row-each';

const PRISMA = join(__dirname, '../../../prisma');
const directoryOf = (product: string) => join(PRISMA, product, 'migrations');

const PASSWORD = `a:b/c?d#e@f%g'h"i\\j k&l=é`;

const PRODUCTS = ['orchestration', 'metrics'] as const;
type Product = (typeof PRODUCTS)[number];
type Role = 'owner' | Product;

const mark = randomBytes(5).toString('hex');
const roleName = (role: Role) => `test_${mark}_${role}`;
const databaseName = (product: Product) => `test_${mark}_${product}_db`;

function urlOf(role: Role, database: string, password = PASSWORD): string {
  const url = new URL(databaseUrl(database));
  url.username = roleName(role);
  url.password = encodeURIComponent(password);
  return url.href;
}

const environment = (product: Product, overrides: Record<string, string> = {}) => ({
  DATABASE_URL: urlOf(product, databaseName(product)),
  DATABASE_OWNER_URL: urlOf('owner', 'any_name'),
  DATABASE_ADMIN_URL: databaseUrl('postgres'),
  ...overrides,
});

const run = async (product: Product, overrides?: Record<string, string>) =>
  migrateAsOwner(readRoles(environment(product, overrides)), directoryOf(product));

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const asSuperuser = <T>(product: Product, work: (client: Client) => Promise<T>) =>
  connected(databaseUrl(databaseName(product)), work);
const asApp = <T>(product: Product, work: (client: Client) => Promise<T>) =>
  connected(urlOf(product, databaseName(product)), work);

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'it was allowed',
    (error) => `${error.code} ${error.message}`,
  );

afterEach(async () => {
  for (const product of PRODUCTS) {
    await administer(`DROP DATABASE IF EXISTS "${databaseName(product)}" WITH (FORCE)`);
  }
  for (const role of ['owner', ...PRODUCTS] as const) {
    await administer(`DROP ROLE IF EXISTS "${roleName(role)}"`);
  }
});

const ROLES = `
  SELECT rolname AS name, rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls, rolreplication
  FROM pg_roles WHERE rolname LIKE 'test_${mark}%' ORDER BY 1`;
const ORDINARY = {
  rolcanlogin: true,
  rolsuper: false,
  rolcreatedb: false,
  rolcreaterole: false,
  rolbypassrls: false,
  rolreplication: false,
};

it('the migration runner creates three ordinary roles and both databases, each only once', async () => {
  const runs = [...PRODUCTS, ...PRODUCTS, ...PRODUCTS].map(async (product) =>
    (await run(product)).map((migration) => `${product}/${migration}`),
  );
  const applied = (await Promise.all(runs)).flat();
  expect(new Set(applied).size).toBe(applied.length);
  expect(await Promise.all(PRODUCTS.map((product) => run(product)))).toEqual([[], []]);
  const roles = await connected(databaseUrl('postgres'), (client) => client.query(ROLES));
  expect(roles.rows).toEqual(
    (['metrics', 'orchestration', 'owner'] as const).map((role) => ({
      name: roleName(role),
      ...ORDINARY,
    })),
  );
  for (const product of PRODUCTS) {
    const { rows } = await asSuperuser(product, (client) =>
      client.query(`SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'`),
    );
    expect(rows).toEqual([{ tableowner: roleName('owner') }]);
  }
});

describe('the database role of a service', () => {
  const FORBIDDEN: [string, string][] = [
    ['CREATE TABLE stolen (id int)', '42501 permission denied for schema public'],
    ['CREATE TEMP TABLE stolen (id int)', '42501 permission denied to create temporary tables'],
    ['CREATE SCHEMA stolen', '42501 permission denied for database'],
    ['ALTER TABLE company ADD stolen int', '42501 must be owner of table company'],
    ['DROP TABLE company', '42501 must be owner of table company'],
    ['TRUNCATE company', '42501 permission denied for table company'],
    ["COPY company FROM PROGRAM 'id'", '42501 permission denied to COPY to or from an external'],
    ["COPY company TO PROGRAM 'id'", '42501 permission denied to COPY to or from an external'],
    ["COPY company TO '/tmp/stolen'", '42501 permission denied to COPY to a file'],
    ["COPY company FROM '/etc/passwd'", '42501 permission denied to COPY from a file'],
    ['CREATE EXTENSION hstore', '42501 permission denied to create extension'],
    ['SET ROLE owner', '42501 permission denied to set role'],
    ['SET SESSION AUTHORIZATION owner', '42501 permission denied to set session authorization'],
    ["ALTER SYSTEM SET log_statement = 'all'", '42501 permission denied to set parameter'],
    ['SELECT * FROM pg_authid', '42501 permission denied for table pg_authid'],
    ["SELECT lo_import('/etc/passwd')", '42501 permission denied for function lo_import'],
    ["SELECT pg_read_file('/etc/passwd')", '42501 permission denied for function pg_read_file'],
    ['CREATE ROLE stolen', '42501 permission denied to create role'],
    ['ALTER ROLE app SUPERUSER', '42501 permission denied to alter role'],
    ['CREATE DATABASE stolen', '42501 permission denied to create database'],
    ['DELETE FROM _prisma_migrations', '42501 permission denied for table _prisma_migrations'],
    ["SET session_replication_role = 'replica'", '42501 permission denied to set parameter'],
  ];
  const named = (sql: string) =>
    sql
      .replace(/\bowner\b/, `"${roleName('owner')}"`)
      .replace(/ app /, ` "${roleName('orchestration')}" `);

  it('can only read and write rows', async () => {
    await run('orchestration');
    await asApp('orchestration', async (client) => {
      for (const [sql, expected] of FORBIDDEN) {
        expect(`${sql}: ${await refusal(client.query(named(sql)))}`).toContain(
          `${sql}: ${expected}`,
        );
      }
    });
  });

  it('can connect only to its own database', async () => {
    await Promise.all(PRODUCTS.map((product) => run(product)));
    const reach = (role: Role, database: string) =>
      refusal(connected(urlOf(role, database), async () => undefined));
    const denied = /^42501 permission denied for database/;
    expect(await reach('metrics', databaseName('orchestration'))).toMatch(denied);
    expect(await reach('orchestration', databaseName('metrics'))).toMatch(denied);
    for (const product of PRODUCTS) {
      expect(await reach(product, databaseName(product))).toBe('it was allowed');
    }
  });

  it.each(PRODUCTS)('can read, write and delete the rows of every table of %s', async (product) => {
    await run(product);
    await asApp(product, async (client) => {
      const tables = await oneRowEach(client);
      expect(tables.length).toBeGreaterThan(10);
      await client.query('BEGIN');
      for (const table of tables) {
        const { rows } = await client.query(
          `SELECT column_name AS name FROM information_schema.columns
           WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER' LIMIT 1`,
          [table],
        );
        const column = client.escapeIdentifier(rows[0].name);
        await client.query(`UPDATE "${table}" SET ${column} = ${column}`);
        expect((await client.query(`SELECT * FROM "${table}" FOR UPDATE`)).rowCount).toBe(1);
      }
      for (const sql of ['LISTEN a', "NOTIFY a, 'b'", 'SELECT * FROM _prisma_migrations']) {
        await client.query(sql);
      }
      await client.query('COMMIT');
    });
  });

  it('can use the tables of later migrations immediately', async () => {
    await run('metrics');
    await connected(urlOf('owner', databaseName('metrics')), async (client) => {
      await client.query(`CREATE TABLE later (id bigserial PRIMARY KEY);
        CREATE FUNCTION twice(n int) RETURNS int LANGUAGE sql RETURN n * 2`);
    });
    await asApp('metrics', async (client) => {
      const { rows } = await client.query(
        'INSERT INTO later DEFAULT VALUES RETURNING id, twice(2)',
      );
      expect(rows).toEqual([{ id: '1', twice: 4 }]);
    });
  });

  it('loses any additional rights during the next migration', async () => {
    await run('metrics');
    await administer(`ALTER ROLE "${roleName('metrics')}" CREATEDB CREATEROLE BYPASSRLS`);
    await administer(
      `GRANT pg_execute_server_program, "${roleName('owner')}" TO "${roleName('metrics')}"`,
    );
    await asSuperuser('metrics', (client) =>
      client.query(`GRANT CREATE ON SCHEMA public TO "${roleName('metrics')}"`),
    );
    await run('metrics');
    await asApp('metrics', async (client) => {
      for (const sql of [
        'CREATE TABLE stolen (id int)',
        `COPY collection TO PROGRAM 'id'`,
        `SET ROLE "${roleName('owner')}"`,
        'CREATE DATABASE stolen',
        'CREATE ROLE stolen',
      ]) {
        expect(await refusal(client.query(sql))).toMatch(/^42501 /);
      }
    });
  });
});

describe('a migration runner with only some of the database URLs', () => {
  it('uses DATABASE_URL as the owner’s URL if no other URL is set', async () => {
    await administer(`CREATE DATABASE "${databaseName('metrics')}" TEMPLATE template0`);
    const DATABASE_URL = databaseUrl(databaseName('metrics'));
    const roles = readRoles({ DATABASE_URL });
    expect((await migrateAsOwner(roles, directoryOf('metrics'))).length).toBeGreaterThan(0);
    expect(await migrateAsOwner(roles, directoryOf('metrics'))).toEqual([]);
  });

  it('needs no admin URL if the roles already exist', async () => {
    await prepareGiven(readRoles(environment('metrics')));
    const without = { DATABASE_ADMIN_URL: '' };
    expect((await run('metrics', without)).length).toBeGreaterThan(0);
    await asApp('metrics', (client) => client.query('DELETE FROM collection'));
    const DATABASE_URL = urlOf('metrics', databaseName('metrics'));
    expect(await migrateAsOwner(readRoles({ DATABASE_URL }), directoryOf('metrics'))).toEqual([]);
  });

  it('fails with an error that names the missing URL, role or database', async () => {
    const said = (overrides: Record<string, string>) =>
      run('metrics', overrides).then(
        () => 'nothing',
        (error) => error.message as string,
      );
    expect(await said({ DATABASE_OWNER_URL: '' })).toMatch(
      /^DATABASE_ADMIN_URL requires DATABASE_OWNER_URL/,
    );
    expect(await said({ DATABASE_URL: 'postgresql://role:pass#word@host/name' })).toMatch(
      /^DATABASE_URL is not valid .*percent-encoded$/,
    );
    expect(await said({ DATABASE_URL: databaseUrl('some') })).toMatch(
      /^DATABASE_ADMIN_URL and DATABASE_URL must name different roles, but both name ".+": set DATABASE_URL to another role/,
    );
    expect(await said({ DATABASE_ADMIN_URL: '' })).toMatch(
      /^DATABASE_OWNER_URL \(role ".+"\) cannot connect: password authentication failed .*DATABASE_ADMIN_URL/,
    );
    await prepareGiven(readRoles(environment('metrics')));
    const asServiceAlone = { DATABASE_OWNER_URL: '', DATABASE_ADMIN_URL: '' };
    expect(await said(asServiceAlone)).toMatch(
      /^role ".+" cannot migrate: permission denied for schema public; set DATABASE_OWNER_URL/,
    );
    expect(
      await said({
        DATABASE_URL: urlOf('orchestration', databaseName('metrics')),
        DATABASE_ADMIN_URL: '',
      }),
    ).toMatch(
      /^role ".+" of DATABASE_URL cannot be granted its rights: role ".+" does not exist; create it/,
    );
    await administer(`DROP DATABASE "${databaseName('metrics')}"`);
    expect(await said({ DATABASE_ADMIN_URL: '' })).toMatch(
      /does not exist; create the database ".+", or set DATABASE_ADMIN_URL/,
    );
  });

  it('needs an admin with CREATEROLE and CREATEDB, not a superuser', async () => {
    const name = `test_${mark}_admin`;
    await administer(`CREATE ROLE "${name}" LOGIN CREATEROLE CREATEDB PASSWORD 'x'`);
    try {
      const admin = new URL(databaseUrl('postgres'));
      admin.username = name;
      admin.password = 'x';
      const DATABASE_ADMIN_URL = admin.href;
      expect((await run('metrics', { DATABASE_ADMIN_URL })).length).toBeGreaterThan(0);
      expect(await run('metrics', { DATABASE_ADMIN_URL })).toEqual([]);
      await asApp('metrics', (client) => client.query('SELECT * FROM collection'));
      await administer(`ALTER ROLE "${name}" NOCREATEROLE`);
      await administer(`DROP DATABASE "${databaseName('metrics')}" WITH (FORCE)`);
      await administer(`DROP ROLE "${roleName('metrics')}"`);
      await expect(run('metrics', { DATABASE_ADMIN_URL })).rejects.toThrow(
        /cannot be changed to an ordinary role: permission denied.*; the role of DATABASE_ADMIN_URL must be/,
      );
    } finally {
      await administer(`DROP DATABASE IF EXISTS "${databaseName('metrics')}" WITH (FORCE)`);
      await administer(`DROP OWNED BY "${name}" CASCADE`);
      for (const role of ['owner', ...PRODUCTS] as const) {
        await administer(`DROP ROLE IF EXISTS "${roleName(role)}"`);
      }
      await administer(`DROP ROLE "${name}"`);
    }
  });
});
