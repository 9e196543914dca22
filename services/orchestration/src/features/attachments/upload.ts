import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { Database } from '@switchyard/db';
import type { FileStore } from '../../adapters/file-store/file-store';
import { contentTypeOf, HEAD_BYTES } from './content/content-type';
import { createTextCheck } from './content/text-check';
import { expireUnfinished, hasAsset } from './storage/asset-expiry';
import {
  forgetAsset,
  type ReservedAsset,
  reserveAsset,
  settleAsset,
  storageFull,
  type Upload,
} from './storage/stored-bytes';

export type FilePart = NodeJS.ReadableStream & { truncated?: boolean };

export class SenderFault extends Error {
  constructor(override readonly cause: unknown) {
    super('the file was not received');
  }
}

/**
 * Commits an expiring row before the first byte, so that a crash leaves no bytes without a row.
 * @throws ApiError 409 `storage_full`; SenderFault; errors of the store
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
  // Listens before the first await, because an early error without a listener would end the
  // process. Does not pass store failures back, because the parser would blame the sender.
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

function createInspector(source: FilePart) {
  const hash = createHash('sha256');
  const text = createTextCheck();
  const heads: Buffer[] = [];
  let byteSize = 0;
  let roomBytes = Number.POSITIVE_INFINITY;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      if (byteSize + chunk.length > roomBytes) {
        // Reads and discards the rest, so that the sender stays connected and receives the reason.
        byteSize = Number.POSITIVE_INFINITY;
        return done();
      }
      hash.update(chunk);
      text.push(chunk);
      if (byteSize < HEAD_BYTES) heads.push(chunk.subarray(0, HEAD_BYTES - byteSize));
      byteSize += chunk.length;
      done(null, chunk);
    },
    flush: (done) => {
      if (source.truncated) return done(new Error('the file is larger than the limit'));
      done(byteSize > roomBytes ? new Error('the file is larger than the reserved space') : null);
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
    if (isOver()) throw new Error('the file is larger than the reserved space');
  };
  return { stream, limit, isOver, result };
}

/**
 * Deletes the bytes first, so that no bytes stay without a row. Requests do not use expired assets.
 */
export async function removeAsset(
  db: Database,
  files: FileStore,
  asset: { id: string; storageKey: string },
): Promise<void> {
  await files.remove(asset.storageKey);
  await forgetAsset(db, asset.id);
}

async function discardUpload(
  db: Database,
  files: FileStore,
  asset: { id: string; storageKey: string },
): Promise<void> {
  try {
    if (await expireUnfinished(db, asset.id)) await removeAsset(db, files, asset);
    else if (!(await hasAsset(db, asset.id))) await files.remove(asset.storageKey);
  } catch {}
}

const MAX_NAME = 255;

export function cleanFilename(name: string): string {
  const segment = name.split(/[\\/]/).at(-1) ?? '';
  const clean = segment
    .toWellFormed()
    .replace(INVISIBLE, (_, kept = '') => kept)
    .trim();
  if (/^\.*$/.test(clean)) return 'file';
  if (clean.length <= MAX_NAME) return clean;
  const [extension] = EXTENSION.exec(clean) ?? [''];
  const stem = clean.slice(0, MAX_NAME - extension.length);
  // Truncation may leave half of a surrogate pair, which PostgreSQL cannot store.
  return stem.replace(/[\uD800-\uDBFF]$/, '') + extension;
}

const EXTENSION = /(?:\.[\p{L}\p{N}_-]{1,16}){1,2}$/u;

/** Joiners change the shape of letters in some scripts; in other scripts they are invisible. */
const JOINER = String.raw`(?<=[\p{L}\p{M}])(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])[\u200C\u200D](?=[\p{L}\p{M}])`;
const FINAL_JOINER = String.raw`(?<=[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA])[\u200C\u200D]`;
const EMOJI_JOINER = String.raw`(?<=\p{ExtPict}|\p{EMod}|\uFE0F)\u200D(?=\p{ExtPict})`;
/** Flags of regions such as Scotland are a black flag with tag characters. */
const FLAG = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}`;

const INVISIBLE = new RegExp(
  `(${JOINER}|${FINAL_JOINER}|${EMOJI_JOINER}|${FLAG})|[\\p{Cc}\\p{Cf}\\uFFFD]`,
  'gu',
);
