import { createReadStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createFile } from '@switchyard/db';
import { readS3Connection } from '../adapters/file-store/file-store-settings';
import { type Connected, connectS3 } from '../adapters/file-store/s3-connection';
import { inPrivateFolder } from './claim-folder';
import { MANIFEST } from './manifest';

interface Place {
  bucket: string;
  prefix: string;
}

const SCHEME = 's3://';

export const isInBucket = (target: string): boolean => target.startsWith(SCHEME);

function placeOf(address: string): Place {
  const [, bucket, folder] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/(.+?)\/*$/.exec(address) ?? [];
  if (!bucket || !folder) {
    throw new Error(`${address} must be written as s3://<bucket>/<folder>`);
  }
  return { bucket, prefix: `${folder}/` };
}

const isSafe = (name: string) =>
  /^[\w.-]+(\/[\w.-]+)*$/.test(name) && !name.split('/').some((part) => /^\.+$/.test(part));

const isManifest = (name: string) => name === MANIFEST || name === `${MANIFEST}.age`;

const manifestLast = (names: string[]) =>
  names.sort((a, b) => Number(isManifest(a)) - Number(isManifest(b)) || (a < b ? -1 : 1));

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

async function listed({ sdk, client }: Connected, { bucket, prefix }: Place): Promise<string[]> {
  const names: string[] = [];
  const pages = sdk.paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
  for await (const { Contents = [] } of pages) {
    for (const { Key = prefix } of Contents)
      if (Key !== prefix) names.push(Key.slice(prefix.length));
  }
  return names;
}

/** Sends large files in parts, because a request is limited to 5 GB. */
async function send({ client }: Connected, place: Place, folder: string, name: string) {
  const { Upload } = await import('@aws-sdk/lib-storage');
  const Body = createReadStream(join(folder, name));
  const params = { Bucket: place.bucket, Key: place.prefix + name, Body };
  try {
    await new Upload({ client, params }).done();
  } finally {
    Body.destroy();
  }
}

async function sendAll(connected: Connected, place: Place, folder: string): Promise<void> {
  const { sdk, client } = connected;
  const sent: string[] = [];
  try {
    for (const name of manifestLast(await namesIn(folder))) {
      sent.push(name);
      await send(connected, place, folder, name);
    }
  } catch (error) {
    for (const name of sent) {
      const object = { Bucket: place.bucket, Key: place.prefix + name };
      await client.send(new sdk.DeleteObjectCommand(object)).catch(() => undefined);
    }
    throw error;
  }
}

async function fetchAll({ sdk, client }: Connected, place: Place, names: string[], folder: string) {
  for (const name of names) {
    const object = { Bucket: place.bucket, Key: place.prefix + name };
    const { Body } = await client.send(new sdk.GetObjectCommand(object));
    await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    await pipeline(Body as Readable, createFile(join(folder, name)));
  }
}

type Variables = Record<string, string | undefined>;

async function connected<T>(
  address: string,
  variables: Variables,
  work: (connected: Connected, place: Place) => Promise<T>,
): Promise<T> {
  const place = placeOf(address);
  const connection = await connectS3(readS3Connection(variables));
  try {
    return await work(connection, place);
  } finally {
    connection.client.destroy();
  }
}

/**
 * Calls `work` with a folder: `target` itself or, if `target` is a URL, a temporary folder that is
 * then uploaded. Removes a failed backup.
 * @throws Error if the target is in use, or the bucket rejects the upload
 */
export async function intoTarget<T>(
  target: string,
  variables: Variables,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (!isInBucket(target)) return work(target);
  return connected(target, variables, async (connection, place) => {
    if ((await listed(connection, place)).length > 0) {
      throw new Error(`${target} must be empty: a backup requires a new or empty folder`);
    }
    return inPrivateFolder(async (folder) => {
      const done = await work(folder);
      await sendAll(connection, place, folder);
      return done;
    });
  });
}

/**
 * Calls `work` with the backup's folder: `source` itself or, if `source` is a URL, a temporary
 * copy.
 * @throws Error before `work` if the backup is incomplete or the bucket rejects the download
 */
export async function fromSource<T>(
  source: string,
  variables: Variables,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (!isInBucket(source)) return work(source);
  return connected(source, variables, async (connection, place) => {
    const names = await listed(connection, place);
    if (!names.some(isManifest)) throw new Error(`${source} is not a complete backup`);
    const strange = names.find((name) => !isSafe(name));
    if (strange !== undefined)
      throw new Error(`${source} contains a file that is not part of a backup: ${strange}`);
    return inPrivateFolder(async (folder) => {
      await fetchAll(connection, place, names, folder);
      return work(folder);
    });
  });
}
