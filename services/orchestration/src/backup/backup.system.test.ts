import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId, SCHEMA_VERSION } from '@switchyard/db';
import { contentOf, filesOf, folderOf, inDatabase, masterKeys } from '../../test/backup-system';
import { type FakeS3, startFakeS3 } from '../../test/fake-s3';
import { TEXT, useFilledSystem } from '../../test/filled-system';
import { SECRETS_MASTER_KEY, startHarness } from '../../test/harness';
import { readEvents } from '../features/events/read-events';
import { resolveSecrets } from '../features/secrets/resolve-secrets';
import { backUp } from './back-up';
import { restore } from './restore';

const system = useFilledSystem();

describe('a backup', () => {
  it('can be restored with its rows, files, logs and secrets into an empty system', async () => {
    const target = await system.emptySystem();
    const manifest = await restore(target, system.backup);
    const { orchestration } = target.databases;
    expect(await contentOf(orchestration)).toEqual(
      await contentOf(system.source.database.ownerUrl),
    );
    expect(await contentOf(target.databases.metrics)).toEqual(
      await contentOf(system.metrics.ownerUrl),
    );
    expect(await filesOf(folderOf(target))).toEqual(await filesOf(folderOf(system.settings())));
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
      const secret = await context.db.prisma.secret.findFirstOrThrow({
        where: { companyId: system.companyId },
      });
      const reference = {
        type: 'secret_ref' as const,
        secretId: secret.id,
        version: 'latest' as const,
      };
      const [there, here] = await Promise.all(
        [context, system.source.context].map((each) =>
          resolveSecrets(each.secretBox, each.db, system.companyId, { A: reference }),
        ),
      );
      expect(there).toEqual(here);
      expect(there).toMatchObject({ values: { A: expect.any(String) } });
      const issue = await restored.build.issue({ companyId: system.companyId, description: TEXT });
      const counted = manifest.databases.orchestration.tables.find((one) => one.name === 'issue');
      expect(issue.issueNumber).toBe((counted?.rows ?? 0) + 1);
      const agent = await restored.build.agent({ companyId: system.companyId });
      const run = await restored.build.queuedRun(agent.id, { issueId: issue.id });
      await restored.drain();
      const { body } = await restored.api.get(`/api/heartbeat-runs/${run.id}`);
      expect(body.status).toBe('succeeded');
    } finally {
      await restored.close();
    }
  });

  it('does not contain the master key', async () => {
    for (const [name, text] of Object.entries(await filesOf(system.backup))) {
      expect(`${name} ${text}`).not.toContain(SECRETS_MASTER_KEY);
      expect(text).not.toContain(masterKeys.current.toString('latin1'));
    }
    expect((await stat(system.backup)).mode & 0o777).toBe(0o700);
    expect((await stat(join(system.backup, 'manifest.json'))).mode & 0o777).toBe(0o600);
  });

  it('contains accounts but no sessions, so people must sign in again after a restore', async () => {
    const { person, session } = system.source.db;
    const [id, folder] = [newId(), system.newFolder()];
    const account = { email: `${id}@example.com`, name: 'Ada', passwordHash: '-' };
    await person.create({ data: { id, ...account } });
    const expiresAt = new Date(Date.now() + 3_600_000);
    await session.create({ data: { id, userId: id, hash: Buffer.from(id), expiresAt } });
    try {
      await backUp(system.settings(), folder);
    } finally {
      await person.delete({ where: { id } });
    }
    const target = await system.emptySystem();
    await restore(target, folder);
    const rows = await inDatabase(target.databases.orchestration, async (pool) => {
      const counts = `SELECT (SELECT count(*)::int FROM person WHERE id = $1) AS people,
        (SELECT count(*)::int FROM session) AS sessions`;
      return (await pool.query(counts, [id])).rows;
    });
    expect(rows).toEqual([{ people: 1, sessions: 0 }]);
  });

  it('can be restored into a bucket, and into a database that already has the tables', async () => {
    const fake: FakeS3 = await startFakeS3('bucket');
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const target = await system.emptySystem({
      files: {
        kind: 's3',
        bucket: 'bucket',
        region: 'eu-central-1',
        endpoint: fake.url,
        credentials,
        forcePathStyle: true,
      },
    });
    const clone = await system.migratedDatabase('orchestration');
    await inDatabase(clone, (pool) =>
      pool.query("INSERT INTO bootstrap_token (token_hash) VALUES ('a')"),
    );
    target.databases.orchestration = clone;
    await restore(target, system.backup);
    expect(await contentOf(clone)).toEqual(await contentOf(system.source.database.ownerUrl));
    const folder = folderOf(system.settings());
    const objects = [...fake.objects].map(([name, bytes]) => [
      name.split('/').at(-1),
      bytes.toString('latin1'),
    ]);
    expect(Object.fromEntries(objects.sort())).toEqual(await filesOf(folder));
    await fake.close();
  });

  it('keeps the order of events when it is restored into a cluster with lower transaction ids', async () => {
    const clone = await system.migratedDatabase('orchestration');
    const settings = await system.emptySystem();
    await restore(
      { ...settings, databases: { ...settings.databases, orchestration: clone } },
      system.backup,
    );
    await inDatabase(clone, (pool) =>
      pool.query(`UPDATE activity SET transaction_id =
        ((1000000000000 + (sequence * 7) % 5)::text)::xid8 WHERE sequence > 3`),
    );
    const ahead = system.newFolder();
    await backUp(
      { ...settings, databases: { ...settings.databases, orchestration: clone } },
      ahead,
    );
    const target = await system.emptySystem({ files: settings.files });
    await restore(target, ahead);
    const order = 'SELECT id FROM activity ORDER BY transaction_id, sequence';
    const before = await inDatabase(clone, (pool) => pool.query(order));
    const restored = await startHarness({
      config: { databaseUrl: target.databases.orchestration },
    });
    try {
      const { db } = restored.context;
      expect((await db.pool.query(order)).rows).toEqual(before.rows);
      const start = { transaction: 0n, sequence: 0n };
      const known = await readEvents(db, system.companyId, start);
      expect(known.isHeld).toBe(false);
      expect(known.events.length).toBeGreaterThan(10);
      expect(known.events).toHaveLength(before.rows.length);
      await restored.build.issue({ companyId: system.companyId });
      const next = await readEvents(db, system.companyId, known.events.at(-1)?.position ?? start);
      expect(next.events.map((event) => /event: (.*)/.exec(event.frame)?.[1])).toEqual([
        'issue.created',
      ]);
    } finally {
      await restored.close();
    }
  });
});

describe('backUp', () => {
  it('requires an empty folder, and on failure removes the folder that it created', async () => {
    await expect(backUp(system.settings(), system.backup)).rejects.toThrow(
      /must be empty: a backup requires/,
    );
    const folder = join(system.newFolder(), 'deeper');
    const databases = {
      orchestration: await system.emptyDatabase(),
      metrics: system.metrics.ownerUrl,
    };
    await expect(backUp({ ...system.settings(), databases }, folder)).rejects.toThrow(
      'the orchestration database has no Switchyard tables',
    );
    await expect(stat(join(folder, '..'))).rejects.toThrow('ENOENT');
  });

  it('lists missing and damaged files, and saves the other files', async () => {
    const folder = folderOf(system.settings());
    const [key, bytes] = Object.entries(await filesOf(folder))[0] as [string, string];
    const path = join(folder, key.slice(0, 2), key.slice(2, 4), key);
    await writeFile(path, 'not what was stored');
    const partial = system.newFolder();
    const { files } = await backUp(system.settings(), partial);
    await writeFile(path, bytes, 'latin1');
    expect(files).toMatchObject({ count: 1, lacking: [key] });
    const target = await system.emptySystem();
    await restore(target, partial);
    expect(Object.keys(await filesOf(folderOf(target)))).not.toContain(key);
  });

  it('fails while a migration runs', async () => {
    await inDatabase(system.source.database.ownerUrl, async (pool) => {
      const client = await pool.connect();
      await client.query('SELECT pg_advisory_lock(72707369)');
      await expect(backUp(system.settings(), system.newFolder())).rejects.toThrow(
        'a migration of the',
      );
      await client.query('SELECT pg_advisory_unlock_all()');
      client.release();
    });
  });
});
