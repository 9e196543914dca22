import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type FakeS3, startFakeS3 } from '../../../test/fake-s3';
import { type FileStore, newStorageKey } from './file-store';
import { openLocalFileStore } from './local-file-store';
import { openS3FileStore } from './s3-file-store';

interface Opened {
  store: FileStore;
  storedNames(): Promise<string[]>;
  close(): Promise<void>;
}

async function openLocal(): Promise<Opened & { root: string }> {
  const root = await mkdtemp(join(tmpdir(), 'switchyard-files-'));
  const store = openLocalFileStore(root);
  const storedNames = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  return { root, store, storedNames, close: () => rm(root, { recursive: true, force: true }) };
}

const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };

async function openS3(): Promise<Opened & { fake: FakeS3 }> {
  const fake = await startFakeS3('bucket');
  const store = openS3FileStore({
    bucket: 'bucket',
    region: 'eu-central-1',
    endpoint: fake.url,
    credentials,
    forcePathStyle: true,
  });
  const close = async () => {
    await store.close();
    await fake.close();
  };
  return { fake, store, storedNames: async () => [...fake.objects.keys()], close };
}

const read = async (store: FileStore, key: string, range?: { start: number; end: number }) => {
  const stream = await store.open(key, range);
  return stream && buffer(stream);
};

describe.each([
  ['local', openLocal],
  ['s3', openS3],
] as const)('the %s file store', (_name, open: () => Promise<Opened>) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  it('returns the written bytes, whole and in ranges', async () => {
    const key = newStorageKey();
    const bytes = randomBytes(300_000);
    await opened.store.write(key, Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]));
    expect((await read(opened.store, key))?.equals(bytes)).toBe(true);
    const part = await read(opened.store, key, { start: 5, end: 100_004 });
    expect(part?.equals(bytes.subarray(5, 100_005))).toBe(true);
    const last = await read(opened.store, key, { start: 299_999, end: 299_999 });
    expect(last?.equals(bytes.subarray(299_999))).toBe(true);
  });

  it('stores an empty file', async () => {
    const key = newStorageKey();
    await opened.store.write(key, Readable.from([]));
    expect(await read(opened.store, key)).toHaveLength(0);
  });

  it('returns null for a removed or unknown key, and ignores the removal of a missing file', async () => {
    const key = newStorageKey();
    await opened.store.write(key, Readable.from([Buffer.from('x')]));
    await opened.store.remove(key);
    expect(await opened.store.open(key)).toBeNull();
    await opened.store.remove(key);
    expect(await opened.store.open(newStorageKey())).toBeNull();
  });

  it('stores nothing if the source stream fails', async () => {
    const before = await opened.storedNames();
    const source = Readable.from(
      (async function* () {
        yield randomBytes(100_000);
        throw new Error('the sender went away');
      })(),
    );
    await expect(opened.store.write(newStorageKey(), source)).rejects.toThrow('went away');
    expect(await opened.storedNames()).toEqual(before);
  });

  it.each(['../../etc/passwd', '', 'a/b', '0'.repeat(31), `${'0'.repeat(32)}\n`])(
    'rejects the key %j',
    async (key) => {
      await expect(opened.store.open(key)).rejects.toThrow('storage key');
      await expect(opened.store.remove(key)).rejects.toThrow('storage key');
      await expect(opened.store.write(key, Readable.from([]))).rejects.toThrow('storage key');
    },
  );
});

test('the local file store makes files readable only by their owner, and removes incomplete files', async () => {
  const { root, store, storedNames, close } = await openLocal();
  const key = newStorageKey();
  await store.write(key, Readable.from([Buffer.from('x')]));
  const path = join(root, key.slice(0, 2), key.slice(2, 4), key);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await writeFile(`${path}.part`, 'half');
  await store.remove(key);
  expect(await storedNames()).toEqual([]);
  await close();
});

test('the S3 file store signs requests and sends Content-Length instead of chunked encoding', async () => {
  const { fake, store, close } = await openS3();
  await store.write(newStorageKey(), Readable.from([Buffer.from('abc')]));
  expect(fake.requests).toMatchObject([
    {
      method: 'PUT',
      path: expect.stringMatching(/^\/bucket\/files\/[0-9a-f]{32}\?/),
      headers: {
        'content-length': '3',
        authorization: expect.stringContaining('AWS4-HMAC-SHA256 Credential=id/'),
      },
    },
  ]);
  expect(fake.requests[0]?.headers).not.toHaveProperty('content-encoding');
  await close();
});

test('the S3 file store rejects if S3 refuses a request, instead of reporting a missing file', async () => {
  const { fake, store, close } = await openS3();
  fake.refuseWith = 403;
  const key = newStorageKey();
  await expect(store.open(key)).rejects.toThrow();
  await expect(store.write(key, Readable.from([Buffer.from('x')]))).rejects.toThrow();
  await expect(store.remove(key)).rejects.toThrow();
  await close();
});
