import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FakeS3, startFakeS3 } from '../../test/fake-s3';
import { fromSource, intoTarget } from './bucket';

const ADDRESS = 's3://backups/nightly/2030-01-31';
const CONTENT: Record<string, string> = Object.fromEntries([
  ['manifest.json', '{}'],
  ...Array.from({ length: 45 }, (_, at) => [`orchestration/t${at}.copy.gz`, `table ${at}`]),
  ['files/ab/abcd', ''],
]);

let s3: FakeS3;
let scratch: string;
let env: Record<string, string>;

beforeEach(async () => {
  s3 = await startFakeS3('backups');
  scratch = await mkdtemp(join(tmpdir(), 'switchyard-bucket-'));
  env = {
    S3_ENDPOINT: s3.url,
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
    S3_FORCE_PATH_STYLE: 'true',
  };
});
afterEach(async () => {
  await s3.close();
  await rm(scratch, { recursive: true });
});

async function write(folder: string): Promise<string> {
  for (const [name, text] of Object.entries(CONTENT)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

async function contentOf(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return Object.fromEntries(paths.map((path, at) => [path.slice(folder.length + 1), texts[at]]));
}

const put = (name: string, text = 'x') =>
  s3.objects.set(`/backups/nightly/2030-01-31/${name}`, Buffer.from(text));
const isThere = (folder: string) => readdir(folder).then(Boolean, () => false);
const never = () => {
  throw new Error('the work has begun');
};

it('intoTarget uploads a backup with the manifest last, fromSource downloads it, and both delete their temporary copies', async () => {
  const sent = await intoTarget(ADDRESS, env, write);
  const puts = s3.requests.filter(({ method }) => method === 'PUT').map(({ path }) => path);
  expect(puts.length).toBe(47);
  expect(puts.at(-1)).toMatch(/^\/backups\/nightly\/2030-01-31\/manifest\.json/);
  const [fetched, content] = await fromSource(`${ADDRESS}/`, env, async (folder) => [
    folder,
    await contentOf(folder),
  ]);
  expect(content).toEqual(CONTENT);
  expect(await isThere(sent)).toBe(false);
  expect(await isThere(fetched as string)).toBe(false);
});

it('intoTarget and fromSource use the folder itself if the address is a local path', async () => {
  const folder = join(scratch, 'one');
  expect(await intoTarget(folder, {}, write)).toBe(folder);
  expect(await fromSource(folder, {}, contentOf)).toEqual(CONTENT);
  expect(s3.requests).toEqual([]);
});

it('intoTarget leaves nothing in the bucket if the upload of one file is rejected', async () => {
  s3.refuses = (method, path) => method === 'PUT' && path.endsWith('/t7.copy.gz');
  await expect(intoTarget(ADDRESS, env, write)).rejects.toThrow(/AccessDenied/);
  expect([...s3.objects.keys()]).toEqual([]);
});

it('intoTarget does not write into a folder that contains another backup', async () => {
  put('orchestration/issue.copy.gz');
  await expect(intoTarget(ADDRESS, env, never)).rejects.toThrow(`${ADDRESS} must be empty`);
  s3.objects.clear();
  s3.objects.set('/backups/nightly/2030-01-3', Buffer.from('another day'));
  await intoTarget(ADDRESS, env, write);
});

it.each([
  ['no manifest', ['orchestration/issue.copy.gz'], 'is not a complete backup'],
  ['a file name outside the folder', ['manifest.json', 'files/../../x'], 'not part of a backup'],
  ['an absolute file name', ['manifest.json', '/etc/x'], 'not part of a backup'],
])('fromSource rejects a folder with %s before it downloads any file', async (_, names, reason) => {
  for (const name of names) put(name);
  await expect(fromSource(ADDRESS, env, never)).rejects.toThrow(reason);
  expect(s3.requests.every(({ path }) => path.includes('list-type'))).toBe(true);
});

it('intoTarget rejects an invalid address or a missing setting with an error that states what is expected', async () => {
  for (const address of ['s3://', 's3://backups', 's3://backups/', 's3://Back_ups/x']) {
    await expect(intoTarget(address, env, never)).rejects.toThrow('s3://<bucket>/<folder>');
  }
  const { S3_REGION: _, ...rest } = env;
  await expect(intoTarget(ADDRESS, rest, never)).rejects.toThrow(/S3_REGION/);
});
