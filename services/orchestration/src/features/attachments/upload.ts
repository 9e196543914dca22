import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { Database } from '@switchyard/db';
import type { FileStore } from '../../adapters/file-store/file-store';
import { cleanFilename } from './content/clean-filename';
import { contentTypeOf, HEAD_BYTES } from './content/content-type';
import { createTextCheck } from './content/text-check';
import { expireUnfinished } from './storage/asset-expiry';
import {
  forgetAsset,
  type ReservedAsset,
  reserveAsset,
  settleAsset,
  storageFull,
  type Upload,
} from './storage/stored-bytes';

/** What a multipart parser gives for a file part; `truncated` once it has cut it at the limit. */
export type FilePart = NodeJS.ReadableStream & { truncated?: boolean };

/** The sender failed, not the store: what it sent is malformed, or it went away. */
export class SenderFault extends Error {
  constructor(override readonly cause: unknown) {
    super('the file was not received');
  }
}

/**
 * Streams a file into the store. Its row is committed before the first byte and expires, so that
 * neither a crash nor a sender that goes away leaves bytes behind for long.
 * @throws ApiError 409 `storage_full` when the company's quota has no room for it; SenderFault; what the store throws
 */
export async function storeUpload(
  db: Database,
  files: FileStore,
  companyId: string,
  file: { name: string; source: FilePart },
  room: { atMostBytes: number; quotaBytes: number },
): Promise<Upload> {
  const inspector = createInspector(file.source);
  let senderFault: SenderFault | undefined;
  // Connected before anything is awaited: a sender may fail at once, and an error without a listener would end the
  // process. A failure of the store is not passed back: the parser would take it for one of the sender.
  file.source.on('error', (error) => {
    senderFault ??= new SenderFault(error);
    inspector.stream.destroy(error);
  });
  inspector.stream.on('error', () => undefined);
  file.source.pipe(inspector.stream);
  let asset: ReservedAsset | undefined;
  const discard = async () => asset && discardUpload(db, files, asset);
  try {
    asset = await reserveAsset(db, companyId, room);
    // A short file has passed the inspector before its room was known.
    inspector.limit(asset.reservedBytes);
    await files.write(asset.storageKey, inspector.stream);
    const found = inspector.result();
    await settleAsset(db, companyId, asset, found.byteSize);
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
    if (asset && inspector.isOver()) throw storageFull(room.quotaBytes, room.quotaBytes);
    throw senderFault ?? error;
  }
}

/** Looks at bytes as they pass: their head, their number, their hash, and whether they are text. */
function createInspector(source: FilePart) {
  const hash = createHash('sha256');
  const text = createTextCheck();
  const heads: Buffer[] = [];
  let byteSize = 0;
  let roomBytes = Number.POSITIVE_INFINITY;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      if (byteSize + chunk.length > roomBytes) {
        // What has no room is read and thrown away: a sender that is cut off would not read why.
        byteSize = Number.POSITIVE_INFINITY;
        return done();
      }
      hash.update(chunk);
      text.push(chunk);
      if (byteSize < HEAD_BYTES) heads.push(chunk.subarray(0, HEAD_BYTES - byteSize));
      byteSize += chunk.length;
      done(null, chunk);
    },
    // A file that was cut at the limit ends like a whole one and must not be stored like one.
    flush: (done) => {
      if (source.truncated) return done(new Error('the file is larger than the limit'));
      done(byteSize > roomBytes ? new Error('the file is larger than its room') : null);
    },
  });
  const isOver = () => byteSize > roomBytes;
  const result = () => ({
    byteSize,
    sha256: hash.digest('hex'),
    contentType: contentTypeOf(Buffer.concat(heads), text.end()),
  });
  const limit = (bytes: number) => {
    roomBytes = bytes;
    if (isOver()) throw new Error('the file is larger than its room');
  };
  return { stream, limit, isOver, result };
}

/**
 * Forgets an asset that has expired: bytes first, so that none is left without a name. No verb takes an
 * expired asset into use, so nothing refers to what is removed here.
 */
export async function removeAsset(
  db: Database,
  files: FileStore,
  asset: { id: string; storageKey: string },
): Promise<void> {
  await files.remove(asset.storageKey);
  await forgetAsset(db, asset.id);
}

/**
 * Removes what no verb took. The row decides, not the course of the request: a commit whose response
 * was lost is a commit. What fails here expires and is swept.
 */
async function discardUpload(
  db: Database,
  files: FileStore,
  asset: { id: string; storageKey: string },
): Promise<void> {
  try {
    if (await expireUnfinished(db, asset.id)) await removeAsset(db, files, asset);
  } catch {
    // The sweep repeats it.
  }
}
