import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { assertStorageKey, type FileStore } from './file-store';

export interface S3Settings {
  bucket: string;
  region: string;
  /** Null: the region's own. */
  endpoint: string | null;
  /** Null: what the SDK finds in its surroundings, e.g. the role of a pod. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  forcePathStyle: boolean;
}

const PREFIX = 'files/';

/** A file without a name: it is gone when it is closed, also after a crash. */
async function openSpool(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-spool-'));
  try {
    return await open(join(folder, 'bytes'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the SDK would print is thrown too; only the process's own log writes. */
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === 'NoSuchKey' || $metadata?.httpStatusCode === 404;
}

/** Objects of one bucket. The SDK is loaded with the first use, because most installations have none. */
export function openS3FileStore(settings: S3Settings): FileStore {
  let opened: Promise<{ sdk: typeof import('@aws-sdk/client-s3'); client: S3Client }> | undefined;

  const connect = async () => {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region: settings.region,
      forcePathStyle: settings.forcePathStyle,
      logger: silent,
      ...(settings.endpoint && { endpoint: settings.endpoint }),
      ...(settings.credentials && { credentials: settings.credentials }),
      // Other makers' stores do not know the checksums that AWS adds by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000 },
    });
    return { sdk, client };
  };
  const use = () => {
    opened ??= connect();
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
        // S3 wants to know the length first, and one request makes the object appear whole.
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
