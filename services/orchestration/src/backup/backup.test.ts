import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  assertSchemaVersion,
  migrate,
  newId,
  openPool,
  readMigrations,
  SCHEMA_VERSION,
} from '@switchyard/db';
import {
  administer,
  type ClonedDatabase,
  cloneDatabase,
  roleName,
  roleUrl,
} from '@switchyard/testing';
import { everything } from '../../test/everything';
import { type FakeS3, startFakeS3 } from '../../test/fake-s3';
import { SECRETS_MASTER_KEY, startHarness, useHarness } from '../../test/harness';
import { SUCCEEDED } from '../../test/scripted-adapter';
import { buildSide } from '../../test/world';
import { readEvents } from '../features/events/read-events';
import { resolveSecrets } from '../features/secrets/resolve-secrets';
import { backUp } from './back-up';
import type { RestoreSettings } from './backup-settings';
import { type Manifest, readManifest, writeManifest } from './manifest';
import { restore } from './restore';

const MIGRATIONS = join(__dirname, '../../../../prisma');
const migrations = {
  orchestration: join(MIGRATIONS, 'orchestration/migrations'),
  metrics: join(MIGRATIONS, 'metrics/migrations'),
};
const masterKeys = { current: Buffer.from(SECRETS_MASTER_KEY, 'base64'), old: null };
const TEXT = 'tab\tnewline\nreturn\r backslash \\N \\. é 中 \u2028 end';

const source = useHarness();
let scratch: string;
let metrics: ClonedDatabase;
let backup: string;
let companyId: string;
const made: Pick<ClonedDatabase, 'drop'>[] = [];

async function inDatabase<T>(url: string, work: (pool: ReturnType<typeof openPool>) => Promise<T>) {
  const pool = openPool({ url, size: 2, applicationName: 'test', onIdleError: () => undefined });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

const contentOf = (url: string) =>
  inDatabase(url, (pool) => everything({ context: { db: { pool } } } as never));

const tablesOf = (url: string) =>
  inDatabase(url, async (pool) => {
    const { rows } = await pool.query(
      "SELECT count(*)::int AS tables FROM information_schema.tables WHERE table_schema = 'public'",
    );
    return rows[0].tables as number;
  });

async function emptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`CREATE DATABASE "${name}" TEMPLATE template0 OWNER "${roleName('owner')}"`);
  made.push({ drop: () => administer(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`) });
  return roleUrl('owner', name);
}

/** A system with nothing in it, not even tables. */
async function emptySystem(overrides: Partial<RestoreSettings> = {}): Promise<RestoreSettings> {
  const folder = await mkdtemp(join(scratch, 'target-'));
  return {
    databases: { orchestration: await emptyDatabase(), metrics: await emptyDatabase() },
    files: { kind: 'local', folder: join(folder, 'files') },
    masterKeys,
    migrations,
    ...overrides,
  };
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const read = files.map(async ({ name, parentPath }) => [
    name,
    await readFile(join(parentPath, name), 'latin1'),
  ]);
  return Object.fromEntries((await Promise.all(read)).sort());
}

const sourceSettings = () => ({
  databases: { orchestration: source.database.ownerUrl, metrics: metrics.ownerUrl },
  files: source.config.files,
});
const newFolder = () => join(scratch, randomBytes(6).toString('hex'));

const COLLECTION = `
  INSERT INTO collection (collection_id, status, source, correlation_id, started_at, request_hash,
    exchange, simulated, components, answer)
  VALUES ($1, 'success', 'n8n', 'c', now(), 'h', 'simulated', true, '{"a": [1]}', $2)`;

async function attach(issueId: string, name: string, content: Buffer) {
  const path = `/api/companies/${companyId}/issues/${issueId}/attachments`;
  await source.api.post(path).attach('file', content, name).expect(201);
}

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'switchyard-backup-'));
  metrics = await cloneDatabase('metrics');
  const side = await buildSide(source);
  companyId = side.ids.companyId;
  await attach(side.ids.issueId, 'random.bin', randomBytes(200_000));
  const texts = { title: 'Text', description: TEXT };
  await source.api.post(`/api/companies/${companyId}/issues`).send(texts).expect(201);
  source.scripted.on('*', (run) => {
    run.onOutput(Buffer.from(TEXT));
    return SUCCEEDED;
  });
  await source.build.queuedRun(side.ids.colleagueId as string);
  await source.drain();
  await inDatabase(metrics.ownerUrl, (pool) => pool.query(COLLECTION, ['one', TEXT]));
  backup = newFolder();
  await backUp(sourceSettings(), backup);
});

afterAll(async () => {
  for (const database of made) await database.drop();
  await metrics.drop();
  await rm(scratch, { recursive: true, force: true });
});

describe('a backup', () => {
  it('comes back into an empty system: rows, files, logs and secrets', async () => {
    const target = await emptySystem();
    const manifest = await restore(target, backup);
    const { orchestration } = target.databases;
    expect(await contentOf(orchestration)).toEqual(await contentOf(source.database.ownerUrl));
    expect(await contentOf(target.databases.metrics)).toEqual(await contentOf(metrics.ownerUrl));
    const files = target.files as { folder: string };
    const kept = (source.config.files as { folder: string }).folder;
    expect(await filesOf(files.folder)).toEqual(await filesOf(kept));
    expect(manifest.files).toMatchObject({ count: 2, lacking: [] });
    expect(manifest.databases.orchestration.schema).toBe(SCHEMA_VERSION.orchestration);
    const filled = manifest.databases.orchestration.tables.filter((table) => table.rows > 0);
    expect(filled.map((table) => table.name)).toEqual(
      expect.arrayContaining(['activity', 'asset', 'run_log_chunk', 'secret_key', 'routine']),
    );

    const restored = await startHarness({
      config: { databaseUrl: orchestration, files: target.files },
    });
    try {
      const { context } = restored;
      const secret = await context.db.prisma.secret.findFirstOrThrow({ where: { companyId } });
      const reference = {
        type: 'secret_ref' as const,
        secretId: secret.id,
        version: 'latest' as const,
      };
      const [there, here] = await Promise.all(
        [context, source.context].map((each) =>
          resolveSecrets(each.secretBox, each.db, companyId, { A: reference }),
        ),
      );
      expect(there).toEqual(here);
      expect(there).toMatchObject({ values: { A: expect.any(String) } });
      const issue = await restored.build.issue({ companyId, description: TEXT });
      const counted = manifest.databases.orchestration.tables.find((one) => one.name === 'issue');
      expect(issue.issueNumber).toBe((counted?.rows ?? 0) + 1);
      const agent = await restored.build.agent({ companyId });
      const run = await restored.build.queuedRun(agent.id, { issueId: issue.id });
      await restored.drain();
      const { body } = await restored.api.get(`/api/heartbeat-runs/${run.id}`);
      expect(body.status).toBe('succeeded');
    } finally {
      await restored.close();
    }
  });

  it('holds no key', async () => {
    for (const [name, text] of Object.entries(await filesOf(backup))) {
      expect(`${name} ${text}`).not.toContain(SECRETS_MASTER_KEY);
      expect(text).not.toContain(masterKeys.current.toString('latin1'));
    }
    expect((await stat(backup)).mode & 0o777).toBe(0o700);
    expect((await stat(join(backup, 'manifest.json'))).mode & 0o777).toBe(0o600);
  });

  it('brings back accounts and no session: whoever was signed in signs in again', async () => {
    const { person, session } = source.db;
    const [id, folder] = [newId(), newFolder()];
    const account = { email: `${id}@example.com`, name: 'Ada', passwordHash: '-' };
    await person.create({ data: { id, ...account } });
    const expiresAt = new Date(Date.now() + 3_600_000);
    await session.create({ data: { id, userId: id, hash: Buffer.from(id), expiresAt } });
    try {
      await backUp(sourceSettings(), folder);
    } finally {
      await person.delete({ where: { id } });
    }
    const target = await emptySystem();
    await restore(target, folder);
    const rows = await inDatabase(target.databases.orchestration, async (pool) => {
      const counts = `SELECT (SELECT count(*)::int FROM person WHERE id = $1) AS people,
        (SELECT count(*)::int FROM session) AS sessions`;
      return (await pool.query(counts, [id])).rows;
    });
    expect(rows).toEqual([{ people: 1, sessions: 0 }]);
  });

  it('comes back from files into a bucket, into tables that are there and empty', async () => {
    const fake: FakeS3 = await startFakeS3('bucket');
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const target = await emptySystem({
      files: {
        kind: 's3',
        bucket: 'bucket',
        region: 'eu-central-1',
        endpoint: fake.url,
        credentials,
        forcePathStyle: true,
      },
    });
    const clone = await cloneDatabase('orchestration');
    made.push(clone);
    await inDatabase(clone.ownerUrl, (pool) =>
      pool.query("INSERT INTO bootstrap_token (token_hash) VALUES ('a')"),
    );
    target.databases.orchestration = clone.ownerUrl;
    await restore(target, backup);
    expect(await contentOf(clone.ownerUrl)).toEqual(await contentOf(source.database.ownerUrl));
    const { folder } = source.config.files as { folder: string };
    const objects = [...fake.objects].map(([name, bytes]) => [
      name.split('/').at(-1),
      bytes.toString('latin1'),
    ]);
    expect(Object.fromEntries(objects.sort())).toEqual(await filesOf(folder));
    await fake.close();
  });

  it('keeps the order of events in a cluster that has counted fewer transactions', async () => {
    const clone = await cloneDatabase('orchestration');
    made.push(clone);
    const settings = await emptySystem();
    await restore(
      { ...settings, databases: { ...settings.databases, orchestration: clone.ownerUrl } },
      backup,
    );
    // As of a cluster far ahead of this one, with transactions that overtook one another.
    await inDatabase(clone.ownerUrl, (pool) =>
      pool.query(`UPDATE activity SET transaction_id =
        ((1000000000000 + (sequence * 7) % 5)::text)::xid8 WHERE sequence > 3`),
    );
    const ahead = newFolder();
    await backUp(
      { ...settings, databases: { ...settings.databases, orchestration: clone.ownerUrl } },
      ahead,
    );
    const target = await emptySystem({ files: settings.files });
    await restore(target, ahead);
    const order = 'SELECT id FROM activity ORDER BY transaction_id, sequence';
    const before = await inDatabase(clone.ownerUrl, (pool) => pool.query(order));
    const restored = await startHarness({
      config: { databaseUrl: target.databases.orchestration },
    });
    try {
      const { db } = restored.context;
      expect((await db.pool.query(order)).rows).toEqual(before.rows);
      const start = { transaction: 0n, sequence: 0n };
      const known = await readEvents(db, companyId, start);
      expect(known.isHeld).toBe(false);
      expect(known.events.length).toBeGreaterThan(10);
      expect(known.events).toHaveLength(before.rows.length);
      await restored.build.issue({ companyId });
      const next = await readEvents(db, companyId, known.events.at(-1)?.position ?? start);
      expect(next.events.map((event) => /event: (.*)/.exec(event.frame)?.[1])).toEqual([
        'issue.created',
      ]);
    } finally {
      await restored.close();
    }
  });
});

describe('a restore is refused, with nothing written,', () => {
  const untouched = async (target: RestoreSettings) => {
    for (const url of Object.values(target.databases)) expect(await tablesOf(url)).toBe(0);
    expect(await filesOf((target.files as { folder: string }).folder)).toEqual({});
  };

  async function copyOf(folder: string): Promise<string> {
    const copy = newFolder();
    await cp(folder, copy, { recursive: true });
    return copy;
  }

  it('when the master key is another one, or there is none', async () => {
    const other = { current: randomBytes(32), old: null };
    const target = await emptySystem({ masterKeys: other });
    await expect(restore(target, backup)).rejects.toThrow(
      /^SECRETS_MASTER_KEY \(its id is [0-9a-f]{16}\) does not open the secrets of company .* which want the key with the id [0-9a-f]{16}$/,
    );
    await expect(restore({ ...target, masterKeys: null }, backup)).rejects.toThrow(
      /^the backup holds secrets: set SECRETS_MASTER_KEY/,
    );
    await untouched(target);
    const old = { current: other.current, old: masterKeys.current };
    await restore({ ...target, masterKeys: old }, backup);
  });

  it.each([
    [
      'a table is cut',
      (folder: string) => truncate(join(folder, 'metrics/collection.copy.gz'), 40),
      /^metrics\/collection.copy.gz is damaged/,
    ],
    [
      'a table is missing',
      (folder: string) => rm(join(folder, 'orchestration/issue.copy.gz')),
      /^the backup lacks orchestration\/issue.copy.gz$/,
    ],
    [
      'a file was changed',
      async (folder: string) => {
        const [name] = (await readdir(join(folder, 'files'), { recursive: true })).filter((one) =>
          one.includes('/'),
        );
        await writeFile(join(folder, 'files', name as string), 'other bytes');
      },
      /^files\/.* is damaged/,
    ],
    [
      'the manifest was changed',
      async (folder: string) => {
        const text = await readFile(join(folder, 'manifest.json'), 'utf8');
        await writeFile(join(folder, 'manifest.json'), text.replace('"rows": 1', '"rows": 2'));
      },
      /^manifest.json is damaged$/,
    ],
    [
      'the manifest is missing',
      (folder: string) => rm(join(folder, 'manifest.json')),
      /is not a complete backup/,
    ],
  ])('when %s', async (_what, damage, message) => {
    const folder = await copyOf(backup);
    await damage(folder);
    const target = await emptySystem();
    await expect(restore(target, folder)).rejects.toThrow(message);
    await untouched(target);
  });

  it('when one of the databases holds rows', async () => {
    const target = await emptySystem();
    const full = { ...target.databases, orchestration: source.database.ownerUrl };
    const before = await contentOf(full.orchestration);
    await expect(restore({ ...target, databases: full }, backup)).rejects.toThrow(
      /^the orchestration database is not empty: "\w+" holds rows/,
    );
    expect(await contentOf(full.orchestration)).toEqual(before);
    await untouched(target);
  });

  it('when a database is newer, is not ours, or the backup is of a later release', async () => {
    const later = await copyOf(backup);
    const manifest: Manifest = await readManifest(later);
    manifest.databases.metrics.schema = '9999_add_later';
    await writeManifest(later, manifest);
    const target = await emptySystem();
    await expect(restore(target, later)).rejects.toThrow(
      /^the backup is at 9999_add_later, which this release does not know/,
    );
    manifest.databases.metrics.schema = '0000_before';
    await writeManifest(later, manifest);
    const clone = await cloneDatabase('metrics');
    made.push(clone);
    const databases = { ...target.databases, metrics: clone.ownerUrl };
    await expect(restore({ ...target, databases }, later)).rejects.toThrow(
      /^the metrics database is already at \w+ and the backup at 0000_before/,
    );
    await untouched(target);
    await inDatabase(target.databases.metrics, (pool) => pool.query('CREATE TABLE other (id int)'));
    await expect(restore(target, backup)).rejects.toThrow(
      'the metrics database holds tables that are not of Switchyard',
    );
  });

  it('and leaves no row or file when it fails half-way', async () => {
    const target = await emptySystem();
    const broken = await copyOf(backup);
    const manifest = await readManifest(broken);
    const [table] = manifest.databases.orchestration.tables.filter((one) => one.name === 'issue');
    if (table) table.rows += 1;
    await writeManifest(broken, manifest);
    await expect(restore(target, broken)).rejects.toThrow(/^"issue" has \d+ rows instead of \d+$/);
    expect(await filesOf((target.files as { folder: string }).folder)).toEqual({});
    await restore(target, backup);
    expect(await contentOf(target.databases.orchestration)).toEqual(
      await contentOf(source.database.ownerUrl),
    );
  });
});

it('takes away no file that was there before, also when it fails half-way', async () => {
  const { files } = sourceSettings();
  const { folder } = files as { folder: string };
  const before = await filesOf(folder);
  expect(Object.keys(before).length).toBeGreaterThan(0);
  const broken = newFolder();
  await cp(backup, broken, { recursive: true });
  const manifest = await readManifest(broken);
  for (const table of manifest.databases.orchestration.tables) table.rows += 1;
  await writeManifest(broken, manifest);
  const target = await emptySystem({ files });
  await expect(restore(target, broken)).rejects.toThrow(/rows instead of/);
  expect(await filesOf(folder)).toEqual(before);
  await restore(target, backup);
  expect(await filesOf(folder)).toEqual(before);
});

it('an older backup is restored at its version and then migrated', async () => {
  const [before] = (await readMigrations(migrations.orchestration)).slice(-2);
  const old = await emptyDatabase();
  await migrate(old, migrations.orchestration, before?.name);
  await inDatabase(old, (pool) =>
    pool.query("INSERT INTO company (id, name, issue_prefix) VALUES ($1, 'Old', 'OLD')", [
      companyId,
    ]),
  );
  const folder = newFolder();
  const { databases } = await backUp(
    { ...sourceSettings(), databases: { orchestration: old, metrics: metrics.ownerUrl } },
    folder,
  );
  expect(databases.orchestration.schema).toBe(before?.name);
  const target = await emptySystem();
  await restore(target, folder);
  await inDatabase(target.databases.orchestration, async (pool) => {
    await assertSchemaVersion(pool, 'orchestration');
    expect((await pool.query('SELECT name FROM company')).rows).toEqual([{ name: 'Old' }]);
  });
});

describe('making a backup', () => {
  it('wants a folder of its own, and leaves none when it fails', async () => {
    await expect(backUp(sourceSettings(), backup)).rejects.toThrow(/is not empty; a backup wants/);
    const folder = join(newFolder(), 'deeper');
    const databases = { orchestration: await emptyDatabase(), metrics: metrics.ownerUrl };
    await expect(backUp({ ...sourceSettings(), databases }, folder)).rejects.toThrow(
      'the orchestration database holds nothing of Switchyard',
    );
    await expect(stat(join(folder, '..'))).rejects.toThrow('ENOENT');
  });

  it('names files that the store lacks, and restores the rest', async () => {
    const { folder } = source.config.files as { folder: string };
    const [key, bytes] = Object.entries(await filesOf(folder))[0] as [string, string];
    const path = join(folder, key.slice(0, 2), key.slice(2, 4), key);
    await writeFile(path, 'not what was stored');
    const partial = newFolder();
    const { files } = await backUp(sourceSettings(), partial);
    await writeFile(path, bytes, 'latin1');
    expect(files).toMatchObject({ count: 1, lacking: [key] });
    const target = await emptySystem();
    await restore(target, partial);
    expect(Object.keys(await filesOf((target.files as { folder: string }).folder))).not.toContain(
      key,
    );
  });

  it('does not run beside a migration', async () => {
    await inDatabase(source.database.ownerUrl, async (pool) => {
      const client = await pool.connect();
      await client.query('SELECT pg_advisory_lock(72707369)');
      await expect(backUp(sourceSettings(), newFolder())).rejects.toThrow('is being migrated');
      await client.query('SELECT pg_advisory_unlock_all()');
      client.release();
    });
  });
});
