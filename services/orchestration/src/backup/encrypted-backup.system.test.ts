import { randomBytes } from 'node:crypto';
import { appendFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { measure } from '@switchyard/db';
import { databaseUrl } from '@switchyard/testing';
import { contentOf, tablesOf, useBackupSystem } from '../../test/backup-system';
import { buildSide } from '../../test/world';
import { encryptFile, makeIdentity } from './age';
import { backUp } from './back-up';
import { readBackupOptions, readRestoreOptions } from './backup-options';
import type { RestoreSettings } from './backup-settings';
import { backUpEncrypted, type Key, withOpenBackup } from './encrypted-backup';
import { readManifest, writeManifest } from './manifest';
import { restore } from './restore';

const PASSPHRASE = 'correct horse battery staple';
const CANARY = 'a-word-that-only-the-backup-holds';

const system = useBackupSystem();
let own: { identity: string; recipient: string };

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}
const leftovers = async () =>
  (await readdir(tmpdir())).filter((name) => /^switchyard-\w{6}$/.test(name)).length;

const open = (folder: string, key: Key | null, target: RestoreSettings) =>
  withOpenBackup(folder, key, (clear) => restore(target, clear));

beforeAll(async () => {
  own = await makeIdentity();
  const { ids } = await buildSide(system.source);
  const file = Buffer.concat([Buffer.from(CANARY), randomBytes(300_000)]);
  await system.source.api
    .post(`/api/companies/${ids.companyId}/issues/${ids.issueId}/attachments`)
    .attach('file', file, 'random.bin')
    .expect(201);
});

describe('an encrypted backup', () => {
  it.each([
    [
      'a recipient',
      () => ({ recipients: [own.recipient] }),
      () => ({ identities: [own.identity] }),
    ],
    ['a passphrase', () => ({ passphrase: PASSPHRASE }), () => ({ passphrase: PASSPHRASE })],
  ])('contains no plain text and can be restored completely: %s', async (_, lock, key) => {
    const before = await leftovers();
    const folder = system.newFolder();
    await backUpEncrypted(system.settings(), folder, lock());
    const files = await filesIn(folder);
    expect(files.length).toBeGreaterThan(20);
    for (const path of files) {
      expect(path).toMatch(/\.age$/);
      expect((await stat(path)).mode & 0o077).toBe(0);
      const bytes = await readFile(path);
      expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
      expect(bytes.includes(CANARY)).toBe(false);
    }
    const target = await system.emptySystem();
    const manifest = await open(folder, key(), target);
    expect(await contentOf(target.databases.orchestration)).toEqual(
      await contentOf(system.source.config.databaseUrl),
    );
    expect(manifest.files).toMatchObject({ count: 2, lacking: [] });
    const [stored] = await filesIn((target.files as { folder: string }).folder);
    expect(stored).toBeDefined();
    expect(await leftovers()).toBe(before);
  });

  it('can be decrypted by each recipient, but a restore with any other key writes nothing', async () => {
    const [second, stranger] = [await makeIdentity(), await makeIdentity()];
    const folder = system.newFolder();
    const recipients = [own.recipient, second.recipient];
    await backUpEncrypted(system.settings(), folder, { recipients });
    const target = await system.emptySystem();
    const refused: [Key | null, RegExp][] = [
      [{ identities: [stranger.identity] }, /the key is wrong for this backup/],
      [{ identities: ['AGE-SECRET-KEY-1NONSENSE'] }, /must be an age identity/],
      [{ passphrase: PASSPHRASE }, /not encrypted with a passphrase/],
      [null, /is encrypted: pass its key/],
    ];
    for (const [key, reason] of refused) {
      await expect(open(folder, key, target)).rejects.toThrow(reason);
    }
    expect(await tablesOf(target.databases.orchestration)).toBe(0);
    await open(folder, { identities: [stranger.identity, second.identity] }, target);
  });

  it('cannot be restored, not even partly, if a file is modified, swapped or missing', async () => {
    const folder = system.newFolder();
    await backUpEncrypted(system.settings(), folder, { recipients: [own.recipient] });
    const target = await system.emptySystem();
    const key = { identities: [own.identity] };
    const spoil = async (change: (copy: string) => Promise<unknown>, reason: RegExp) => {
      const copy = system.newFolder();
      await cp(folder, copy, { recursive: true });
      await change(copy);
      await expect(open(copy, key, target)).rejects.toThrow(reason);
    };
    const issue = 'orchestration/issue.copy.gz.age';
    const agent = 'orchestration/agent.copy.gz.age';
    await spoil((copy) => appendFile(join(copy, issue), 'x'), /issue\.copy\.gz\.age is damaged/);
    await spoil(async (copy) => {
      const bytes = await readFile(join(copy, issue));
      bytes[bytes.length - 20] = (bytes[bytes.length - 20] as number) ^ 1;
      await writeFile(join(copy, issue), bytes);
    }, /issue\.copy\.gz\.age is damaged/);
    await spoil((copy) => cp(join(copy, agent), join(copy, issue)), /is damaged/);
    await spoil((copy) => rm(join(copy, issue)), /orchestration\/issue\.copy\.gz\.age is missing/);
    await spoil((copy) => rm(join(copy, 'manifest.json.age')), /not a complete encrypted backup/);
    await spoil((copy) => appendFile(join(copy, 'manifest.json.age'), 'x'), /manifest is damaged/);
    expect(await tablesOf(target.databases.orchestration)).toBe(0);
    expect(await tablesOf(target.databases.metrics)).toBe(0);
  });

  it('cannot write a file outside the temporary folder during a restore, even if a recipient forged the backup', async () => {
    const [clear, folder] = [system.newFolder(), system.newFolder()];
    await backUp(system.settings(), clear);
    const name = `switchyard-escaped-${randomBytes(6).toString('hex')}`;
    const { storageKey } = await system.source.db.asset.findFirstOrThrow();
    const dump = join(clear, 'orchestration/asset.copy.gz');
    const rows = gunzipSync(await readFile(dump)).toString();
    await writeFile(dump, gzipSync(rows.replace(storageKey, `../${name}`)));
    const manifest = await readManifest(clear);
    const { file } = manifest.databases.orchestration.tables.find((one) => one.name === 'asset')!;
    Object.assign(file, await measure(dump));
    await writeManifest(clear, manifest);
    await writeFile(join(system.scratch, name), 'escaped');
    await encryptFile(join(system.scratch, name), join(system.scratch, `${name}.age`), [
      own.recipient,
    ]);
    for (const path of await filesIn(clear)) {
      const sealed = join(folder, `${path.slice(clear.length)}.age`);
      await mkdir(dirname(sealed), { recursive: true });
      await encryptFile(path, sealed, [own.recipient]);
    }
    const opened = open(folder, { identities: [own.identity] }, await system.emptySystem());
    await expect(opened).rejects.toThrow('a storage key must be 32 hexadecimal digits');
    await expect(stat(join(tmpdir(), name))).rejects.toThrow('ENOENT');
  });

  it('cannot be replaced with an unencrypted backup if a key is passed to the restore', async () => {
    const folder = system.newFolder();
    await backUp(system.settings(), folder);
    const target = await system.emptySystem();
    const key = { identities: [own.identity] };
    await expect(open(folder, key, target)).rejects.toThrow('not a complete encrypted backup');
  });

  it('leaves no files if its creation fails', async () => {
    const folder = system.newFolder();
    const lost = system.settings();
    lost.databases.metrics = databaseUrl('not_there');
    const lock = { recipients: [own.recipient] };
    await expect(backUpEncrypted(lost, folder, lock)).rejects.toThrow();
    const bad = { recipients: ['age1nonsense'] };
    await expect(backUpEncrypted(system.settings(), folder, bad)).rejects.toThrow(
      /must be an age recipient/,
    );
    await expect(stat(folder)).rejects.toThrow();
  });
});

describe('the options of the backup and restore commands', () => {
  it('specify recipients or a passphrase for a backup, and an identity or a passphrase for a restore', async () => {
    const file = system.newFolder();
    await writeFile(file, `# created: today\n\n${own.identity}\r\n`);
    const secret = system.newFolder();
    await writeFile(secret, `${PASSPHRASE}\n`);
    expect(readBackupOptions(['/b', '--encrypt-to', 'age1a', '--encrypt-to=age1b'])).toEqual({
      folder: '/b',
      lock: { recipients: ['age1a', 'age1b'] },
    });
    expect(readBackupOptions(['/b'])).toEqual({ folder: '/b', lock: null });
    expect(readBackupOptions(['/b', '--passphrase-file', secret]).lock).toEqual({
      passphrase: PASSPHRASE,
    });
    expect(readRestoreOptions(['/b', '--identity', file]).key).toEqual({
      identities: [own.identity],
    });
    expect(readRestoreOptions([`--passphrase-file=${secret}`, '/b']).key).toEqual({
      passphrase: PASSPHRASE,
    });
  });

  it('cause an error that contains the usage or the reason if they are invalid', async () => {
    const short = system.newFolder();
    await writeFile(short, 'short\n');
    const wrong: [string[], RegExp][] = [
      [[], /usage: backup/],
      [['/a', '/b'], /usage: backup/],
      [['/b', '--encrypt'], /usage: backup/],
      [['/b', '--encrypt-to'], /usage: backup/],
      [['/b', '--encrypt-to', 'age1a', '--passphrase-file', short], /only one of/],
      [['/b', '--passphrase-file', short], /at least 12 characters/],
      [['/b', '--passphrase-file', '/none'], /cannot be read/],
    ];
    for (const [args, reason] of wrong) expect(() => readBackupOptions(args)).toThrow(reason);
    await writeFile(short, '# nothing\n');
    expect(() => readRestoreOptions(['/b', '--identity', short])).toThrow(
      /must contain an age identity/,
    );
    expect(() => readRestoreOptions(['/b', '--key', short])).toThrow(/usage: restore/);
  });
});
