import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { assertStorageKey, type FileStore } from './file-store';
import { type Connected, connectS3, type S3Connection } from './s3-connection';

export interface S3Settings extends S3Connection {
  bucket: string;
}

const PREFIX = 'files/';

/** Opens a temporary file and unlinks it at once, so that its bytes disappear on close or crash. */
async function openSpool(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-spool-'));
  try {
    return await open(join(folder, 'bytes'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NoSuchKey' || $metadata?.httpStatusCode === 404;
}

export function openS3FileStore(settings: S3Settings): FileStore {
  let opened: Promise<Connected> | undefined;

  const use = () => {
    opened ??= connectS3(settings);
    return opened;
  };
  const objectOf = (key: string) => {
    assertStorageKey(key);
    return { Bucket: settings.bucket, Key: PREFIX + key };
  };

  return {
    write: async (key, source) => {
      const object = objectOf(key);
      const spool = await openSpool();
      try {
        // S3 needs the length in advance. A single request makes the object appear as a whole.
        await writeFile(spool, source);
        const { size } = await spool.stat();
        const Body = spool.createReadStream({ start: 0, autoClose: false });
        const { sdk, client } = await use();
        await client.send(new sdk.PutObjectCommand({ ...object, Body, ContentLength: size }));
      } finally {
        source.destroy();
        await spool.close();
      }
    },
    open: async (key, range) => {
      const { sdk, client } = await use();
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const found = await client.send(new sdk.GetObjectCommand({ ...objectOf(key), Range }));
        return (found.Body as Readable | undefined) ?? null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: async (key) => {
      const { sdk, client } = await use();
      await client.send(new sdk.DeleteObjectCommand(objectOf(key)));
    },
    close: async () => {
      if (opened) (await opened).client.destroy();
    },
  };
}
