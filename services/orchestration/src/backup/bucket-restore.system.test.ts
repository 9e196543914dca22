import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderOf, useBackupSystem } from '../../test/backup-system';
import { type FakeS3, startFakeS3 } from '../../test/fake-s3';
import { SECRETS_MASTER_KEY, startHarness } from '../../test/harness';
import { buildSide } from '../../test/world';
import { makeIdentity } from './age';

const BIN = join(__dirname, '../../dist/bin');
const MODES = ['plain', 'encrypted'] as const;

const system = useBackupSystem();
let s3: FakeS3;
let companyId: string;
let issueId: string;
let attachmentId: string;

beforeAll(async () => {
  s3 = await startFakeS3('backups');
  const { ids } = await buildSide(system.source);
  ({ companyId, issueId, attachmentId } = ids);
});
afterAll(() => s3.close());

const store = () => ({
  S3_ENDPOINT: s3.url,
  S3_REGION: 'eu-central-1',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  S3_FORCE_PATH_STYLE: 'true',
});

async function play(name: 'backup' | 'restore', args: string[], settings: Record<string, string>) {
  const own = { PATH: process.env.PATH ?? '', SECRETS_MASTER_KEY, TMPDIR: system.scratch };
  const env = { ...own, ...store(), ...settings };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(BIN, `${name}.js`), ...args],
    { env },
  );
  return stdout;
}

it.each(MODES)('backup and restore move a whole system through a bucket: %s', async (mode) => {
  const folder = `s3://backups/${mode}/2030-01-31`;
  const { identity, recipient } = await makeIdentity();
  const file = join(system.scratch, `identity-${mode}`);
  await writeFile(file, `${identity}\n`);
  const dataDir = join(folderOf(system.settings()), '..');
  const wrote = await play(
    'backup',
    [folder, ...(mode === 'encrypted' ? ['--encrypt-to', recipient] : [])],
    {
      DATABASE_URL: system.source.database.ownerUrl,
      METRICS_DATABASE_URL: system.metrics.ownerUrl,
      DATA_DIR: dataDir,
    },
  );
  expect(wrote).toContain(`wrote ${folder}\n`);
  const names = [...s3.objects.keys()].filter((name) => name.startsWith(`/backups/${mode}/`));
  expect(names).toContain(
    `/backups/${mode}/2030-01-31/manifest.json${mode === 'plain' ? '' : '.age'}`,
  );

  const databases = {
    orchestration: await system.emptyDatabase(),
    metrics: await system.emptyDatabase(),
  };
  const files = join(system.scratch, mode);
  const restored = await play(
    'restore',
    [folder, ...(mode === 'encrypted' ? ['--identity', file] : [])],
    {
      DATABASE_URL: databases.orchestration,
      METRICS_DATABASE_URL: databases.metrics,
      DATA_DIR: files,
    },
  );
  expect(restored.replace('restored', 'wrote')).toBe(wrote);
  expect(
    (await readdir(system.scratch)).filter((name) => !MODES.some((one) => name.endsWith(one))),
  ).toEqual([]);

  const restoredSystem = await startHarness({
    config: {
      databaseUrl: databases.orchestration,
      files: { kind: 'local', folder: join(files, 'files') },
    },
  });
  try {
    for (const path of [
      `/api/companies/${companyId}`,
      `/api/issues/${issueId}/attachments`,
      `/api/attachments/${attachmentId}/content`,
    ]) {
      const [there, here] = [await restoredSystem.api.get(path), await system.source.api.get(path)];
      expect(here.status).toBe(200);
      expect([there.status, there.body]).toEqual([200, here.body]);
    }
  } finally {
    await restoredSystem.close();
  }
});
