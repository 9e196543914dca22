import { createHash } from 'node:crypto';
import { pipeline, Transform } from 'node:stream';
import { type Database, newId } from '@switchyard/db';
import type { Received } from '@switchyard/server';
import { type FileStore, newStorageKey } from '../../adapters/file-store/file-store';
import { cleanFilename } from './clean-filename';
import { contentTypeOf, HEAD_BYTES } from './content-type';
import { createTextCheck } from './text-check';

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

/** What a multipart parser gives for a file part; `truncated` once it has cut it at the limit. */
export type FilePart = NodeJS.ReadableStream & { truncated?: boolean };

/** Looks at bytes as they pass: their head, their number, their hash, and whether they are text. */
function createInspector(source: FilePart) {
  const hash = createHash('sha256');
  const text = createTextCheck();
  const heads: Buffer[] = [];
  let byteSize = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      text.push(chunk);
      if (byteSize < HEAD_BYTES) heads.push(chunk.subarray(0, HEAD_BYTES - byteSize));
      byteSize += chunk.length;
      done(null, chunk);
    },
    // A file that was cut at the limit ends like a whole one and must not be stored like one.
    flush: (done) => done(source.truncated ? new Error('the file is larger than the limit') : null),
  });
  const result = () => ({
    byteSize,
    sha256: hash.digest('hex'),
    contentType: contentTypeOf(Buffer.concat(heads), text.end()),
  });
  return { stream, result };
}

/**
 * Forgets an asset that has expired: bytes first, so that none is left without a name. Nobody takes an
 * expired asset into use, so nothing refers to what is removed here.
 */
export async function removeAsset(
  db: Database,
  files: FileStore,
  asset: { id: string; storageKey: string },
): Promise<void> {
  await files.remove(asset.storageKey);
  await db.prisma.asset.deleteMany({ where: { id: asset.id, expiresAt: { not: null } } });
}

/**
 * Removes what no verb took. The row decides, not the course of the request: a commit whose answer was
 * lost is a commit. What fails here expires and is swept.
 */
async function discardUpload(
  db: Database,
  files: FileStore,
  asset: { id: string; storageKey: string },
): Promise<void> {
  try {
    const { count } = await db.prisma.asset.updateMany({
      where: { id: asset.id, sha256: '' },
      data: { expiresAt: new Date() },
    });
    if (count > 0) await removeAsset(db, files, asset);
  } catch {
    // The sweep repeats it.
  }
}

/**
 * Streams a file into the store. Its row is there before the first byte and expires by itself, so that
 * neither a crash nor a sender that goes away leaves bytes behind for long.
 */
export async function storeUpload(
  db: Database,
  files: FileStore,
  companyId: string,
  file: { name: string; source: FilePart },
): Promise<Upload> {
  const asset = { id: newId(), storageKey: newStorageKey() };
  const inspector = createInspector(file.source);
  // Connected before anything is awaited: a sender may fail at once, and an error that nobody listens
  // for would end the process.
  pipeline(file.source, inspector.stream, () => undefined);
  const expiresAt = new Date(Date.now() + UPLOAD_HOURS * 3_600_000);
  const discard = () => discardUpload(db, files, asset);
  try {
    await db.prisma.asset.create({
      data: { ...asset, companyId, contentType: '', byteSize: 0, sha256: '', expiresAt },
    });
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
    inspector.stream.destroy();
    await discard();
    throw error;
  }
}
