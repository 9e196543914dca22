import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertSchemaVersion } from '@switchyard/db';
import {
  contentOf,
  filesOf,
  folderOf,
  inDatabase,
  masterKeys,
  migrations,
  tablesOf,
} from '../../test/backup-system';
import { useFilledSystem } from '../../test/filled-system';
import type { RestoreSettings } from './backup-settings';
import { type Manifest, readManifest, writeManifest } from './manifest';
import { restore } from './restore';

const system = useFilledSystem();

describe('a restore', () => {
  const untouched = async (target: RestoreSettings) => {
    for (const url of Object.values(target.databases)) expect(await tablesOf(url)).toBe(0);
    expect(await filesOf(folderOf(target))).toEqual({});
  };

  async function copyOf(folder: string): Promise<string> {
    const copy = system.newFolder();
    await cp(folder, copy, { recursive: true });
    return copy;
  }

  it('fails and writes nothing if the master key is missing or different', async () => {
    const other = { current: randomBytes(32), old: null };
    const target = await system.emptySystem({ masterKeys: other });
    await expect(restore(target, system.backup)).rejects.toThrow(
      /^SECRETS_MASTER_KEY \(its id is [0-9a-f]{16}\) cannot decrypt the secrets of company .* which require the key with the id [0-9a-f]{16}$/,
    );
    await expect(restore({ ...target, masterKeys: null }, system.backup)).rejects.toThrow(
      /^the backup contains secrets: set SECRETS_MASTER_KEY/,
    );
    await untouched(target);
    const old = { current: other.current, old: masterKeys.current };
    await restore({ ...target, masterKeys: old }, system.backup);
  });

  it.each([
    [
      'a table file is truncated',
      (folder: string) => truncate(join(folder, 'metrics/collection.copy.gz'), 40),
      /^metrics\/collection.copy.gz is damaged/,
    ],
    [
      'a table file is missing',
      (folder: string) => rm(join(folder, 'orchestration/issue.copy.gz')),
      /^orchestration\/issue.copy.gz is missing from the backup$/,
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
  ])('writes nothing if %s', async (_what, damage, message) => {
    const folder = await copyOf(system.backup);
    await damage(folder);
    const target = await system.emptySystem();
    await expect(restore(target, folder)).rejects.toThrow(message);
    await untouched(target);
  });

  it('writes nothing if one of the databases contains rows', async () => {
    const target = await system.emptySystem();
    const full = { ...target.databases, orchestration: system.source.database.ownerUrl };
    const before = await contentOf(full.orchestration);
    await expect(restore({ ...target, databases: full }, system.backup)).rejects.toThrow(
      /^the orchestration database must be empty, but "\w+" contains rows/,
    );
    expect(await contentOf(full.orchestration)).toEqual(before);
    await untouched(target);
  });

  it('rejects a newer database, a database with tables of other programs, and a backup of a later release', async () => {
    const later = await copyOf(system.backup);
    const manifest: Manifest = await readManifest(later);
    manifest.databases.metrics.schema = '9999_add_later';
    await writeManifest(later, manifest);
    const target = await system.emptySystem();
    await expect(restore(target, later)).rejects.toThrow(
      /^this release does not contain 9999_add_later, the schema version of the backup/,
    );
    manifest.databases.metrics.schema = '0000_before';
    await writeManifest(later, manifest);
    const clone = await system.migratedDatabase('metrics');
    const databases = { ...target.databases, metrics: clone };
    await expect(restore({ ...target, databases }, later)).rejects.toThrow(
      /^the metrics database is already at \w+, but the backup is at 0000_before/,
    );
    await untouched(target);
    await inDatabase(target.databases.metrics, (pool) => pool.query('CREATE TABLE other (id int)'));
    await expect(restore(target, system.backup)).rejects.toThrow(
      'the metrics database must not contain tables of other programs',
    );
  });

  it('leaves no row and no file behind if it fails halfway', async () => {
    const target = await system.emptySystem();
    const broken = await copyOf(system.backup);
    const manifest = await readManifest(broken);
    const [table] = manifest.databases.orchestration.tables.filter((one) => one.name === 'issue');
    if (table) table.rows += 1;
    await writeManifest(broken, manifest);
    await expect(restore(target, broken)).rejects.toThrow(/^"issue" has \d+ rows instead of \d+$/);
    expect(await filesOf(folderOf(target))).toEqual({});
    await restore(target, system.backup);
    expect(await contentOf(target.databases.orchestration)).toEqual(
      await contentOf(system.source.database.ownerUrl),
    );
  });
});

it('a restore never deletes a file that existed before the restore, even if the restore fails', async () => {
  const { files } = system.settings();
  const folder = folderOf({ files });
  const before = await filesOf(folder);
  expect(Object.keys(before).length).toBeGreaterThan(0);
  const broken = system.newFolder();
  await cp(system.backup, broken, { recursive: true });
  const manifest = await readManifest(broken);
  for (const table of manifest.databases.orchestration.tables) table.rows += 1;
  await writeManifest(broken, manifest);
  const target = await system.emptySystem({ files });
  await expect(restore(target, broken)).rejects.toThrow(/rows instead of/);
  expect(await filesOf(folder)).toEqual(before);
  await restore(target, system.backup);
  expect(await filesOf(folder)).toEqual(before);
});

it('a restore creates the schema in the version of the backup, and then migrates it to the current version', async () => {
  const newer = system.newFolder();
  await cp(migrations.orchestration, newer, { recursive: true });
  await mkdir(join(newer, '9999_add_note'));
  await writeFile(
    join(newer, '9999_add_note/migration.sql'),
    "ALTER TABLE company ADD COLUMN note TEXT NOT NULL DEFAULT 'none'",
  );
  const target = await system.emptySystem({
    migrations: { ...migrations, orchestration: newer },
  });
  await restore(target, system.backup);
  await inDatabase(target.databases.orchestration, async (pool) => {
    await assertSchemaVersion(pool, 'orchestration');
    const { rows } = await pool.query('SELECT note FROM company WHERE id = $1', [system.companyId]);
    expect(rows).toEqual([{ note: 'none' }]);
  });
});
