import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { migrate, newId } from '@switchyard/db';
import { Client } from 'pg';
import { administer, databaseUrl } from '../src';

const DIRECTORY = join(__dirname, '../../../prisma/orchestration/migrations');

interface Account {
  email: string;
  /** Of one company of its own; null for no member of any. */
  role: string | null;
}

/** Who is an administrator after an installation with these accounts, the oldest first, was upgraded. */
async function administratorsOf(accounts: Account[]): Promise<string[]> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE "${name}" TEMPLATE template0`);
  const client = new Client({ connectionString: databaseUrl(name) });
  try {
    await client.connect();
    await migrate(databaseUrl(name), DIRECTORY, '0012_index_old_wakeups');
    for (const [at, { email, role }] of accounts.entries()) {
      const [userId, companyId] = [newId(), newId()];
      const created = new Date(Date.UTC(2026, 0, 1 + at));
      await client.query(
        'INSERT INTO person (id, email, name, password_hash, created_at) VALUES ($1, $2, $2, $2, $3)',
        [userId, email, created],
      );
      if (role === null) continue;
      const company = 'INSERT INTO company (id, name, issue_prefix) VALUES ($1, $2, $3)';
      await client.query(company, [companyId, email, `C${at}`]);
      await client.query(
        'INSERT INTO membership (id, company_id, user_id, role) VALUES ($1, $2, $3, $4)',
        [newId(), companyId, userId, role],
      );
    }
    await migrate(databaseUrl(name), DIRECTORY);
    const { rows } = await client.query('SELECT email FROM person WHERE is_administrator');
    return rows.map(({ email }) => email as string);
  } finally {
    await client.end();
    await administer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }
}

const [a, b, c] = ['a@example.com', 'b@example.com', 'c@example.com'] as const;

it('makes the oldest account that owns a company the administrator, and nobody else', async () => {
  const owners = [
    { email: a, role: 'viewer' },
    { email: b, role: 'owner' },
    { email: c, role: 'owner' },
  ];
  expect(await administratorsOf(owners)).toEqual([b]);
  expect(await administratorsOf(owners.toReversed())).toEqual([c]);
});

it('makes the oldest account of all one where nobody owns a company, and none where nobody is', async () => {
  const none = [
    { email: a, role: null },
    { email: b, role: 'operator' },
  ];
  expect(await administratorsOf(none)).toEqual([a]);
  expect(await administratorsOf([])).toEqual([]);
});
