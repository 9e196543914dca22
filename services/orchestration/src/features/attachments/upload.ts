import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import { type Database, newId } from '@switchyard/db';
import type { Received } from '@switchyard/server';
import { type FileStore, newStorageKey } from '../../adapters/file-store/file-store';
import { contentTypeOf, HEAD_BYTES } from './content-type';

/** Bytes that are stored and belong to nothing yet. */
export interface Upload extends Received {
  assetId: string;
  originalFilename: string;
  contentType: string;
  byteSize: number;
  sha256: string;
}

/** How long an upload that nobody finishes may take before the sweep removes it. */
const UPLOAD_HOURS = 1;
const MAX_NAME = 255;

/** The last segment of whatever path the sender named, without what would break a header or a terminal. */
function cleanFilename(name: string): string {
  const segment = name.split(/[\\/]/).at(-1) ?? '';
  const clean = segment.toWellFormed().replace(/[\p{Cc}\p{Cf}\uFFFD]/gu, '');
  return clean.trim().slice(0, MAX_NAME).toWellFormed() || 'file';
}

/** Looks at bytes as they pass: their head, their number and their hash. */
function createInspector() {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let byteSize = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      byteSize += chunk.length;
      if (head.length < HEAD_BYTES) {
        head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
      }
      done(null, chunk);
    },
  });
  const result = () => ({
    byteSize,
    sha256: hash.digest('hex'),
    contentType: contentTypeOf(head),
  });
  return { stream, result };
}

/** Forgets an asset that nothing refers to: bytes first, so that none is left without a name. */
export async function removeAsset(
  db: Database,
  files: FileStore,
  asset: { id: string; storageKey: string },
): Promise<void> {
  await files.remove(asset.storageKey);
  await db.prisma.asset.deleteMany({ where: { id: asset.id, expiresAt: { not: null } } });
}

/**
 * Streams a file into the store. Its row is there before the first byte and expires by itself, so that
 * neither a crash nor a sender that goes away leaves bytes behind for long.
 */
export async function storeUpload(
  db: Database,
  files: FileStore,
  companyId: string,
  file: { name: string; source: Readable },
): Promise<Upload> {
  const asset = { id: newId(), storageKey: newStorageKey() };
  const inspector = createInspector();
  // Connected before anything is awaited: a sender may fail at once, and an error that nobody listens
  // for would end the process.
  pipeline(file.source, inspector.stream, () => undefined);
  const expiresAt = new Date(Date.now() + UPLOAD_HOURS * 3_600_000);
  await db.prisma.asset.create({
    data: { ...asset, companyId, contentType: '', byteSize: 0, sha256: '', expiresAt },
  });
  const discard = () => removeAsset(db, files, asset);
  try {
    await files.write(asset.storageKey, inspector.stream);
    const found = inspector.result();
    const originalFilename = cleanFilename(file.name);
    return {
      assetId: asset.id,
      originalFilename,
      ...found,
      toJSON: () => ({ originalFilename, sha256: found.sha256 }),
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}
