import { ask, type Database, inTransaction, newId, statement } from '@switchyard/db';
import { conflict, notFound, type Received } from '@switchyard/server';
import { newStorageKey } from '../../../adapters/file-store/file-store';

const UPLOAD_HOURS = 1;

export interface ReservedAsset {
  id: string;
  storageKey: string;
  reservedBytes: number;
  quotaBytes: number;
}

export interface Upload extends Received {
  assetId: string;
  originalFilename: string;
  contentType: string;
  byteSize: number;
  sha256: string;
}

/**
 * Inserts the row before the first byte and reserves the largest possible size, so that a company
 * never exceeds its quota.
 * @throws ApiError 409 `storage_full`
 */
export async function reserveAsset(
  db: Database,
  companyId: string,
  room: { atMostBytes: number; quotaBytes: number },
): Promise<ReservedAsset> {
  const { atMostBytes, quotaBytes } = room;
  const asset = { id: newId(), storageKey: newStorageKey() };
  return inTransaction(db, async (tx) => {
    const used = await lockStorage(tx, companyId);
    const left = quotaBytes === 0 ? atMostBytes : quotaBytes - used;
    if (left <= 0) throw storageFull(used, quotaBytes);
    const byteSize = Math.min(atMostBytes, left);
    await ask(tx, countBytes, { companyId, bytes: byteSize });
    await ask(tx, insertAsset, { ...asset, companyId, byteSize });
    return { ...asset, reservedBytes: byteSize, quotaBytes };
  });
}

export function storageFull(usedBytes: number, limitBytes: number) {
  const details = { usedBytes, limitBytes, retry: false };
  return conflict(
    'storage_full',
    `the company may store at most ${limitBytes} bytes of files: delete attachments, or ask the operator to raise COMPANY_STORAGE_BYTES`,
    details,
  );
}

export async function settleAsset(
  db: Database,
  companyId: string,
  asset: ReservedAsset,
  byteSize: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockStorage(tx, companyId);
    const [kept] = await ask(tx, setBytes, { id: asset.id, byteSize });
    if (!kept) throw new Error('the asset was removed during the upload');
    await ask(tx, countBytes, { companyId, bytes: byteSize - asset.reservedBytes });
  });
}

export async function forgetAsset(db: Database, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [asset] = await ask(tx, findOwner, { id });
    if (!asset) return;
    const { companyId } = asset;
    await lockStorage(tx, companyId);
    const [gone] = await ask(tx, deleteExpired, { id });
    if (gone) await ask(tx, countBytes, { companyId, bytes: -gone.bytes });
  });
}

async function lockStorage(tx: Database, companyId: string): Promise<number> {
  const [company] = await ask(tx, lockCounted, { companyId });
  if (!company) throw notFound('company');
  return company.used;
}

const lockCounted = statement('lock-storage', {
  takes: { companyId: 'uuid' },
  gives: { used: 'bigint' },
  sql: ({ companyId }) =>
    `SELECT storage_bytes AS used FROM company WHERE id = ${companyId} FOR NO KEY UPDATE`,
});

const countBytes = statement('count-stored-bytes', {
  takes: { companyId: 'uuid', bytes: 'bigint' },
  gives: {},
  sql: ({ companyId, bytes }) => `
    UPDATE company SET storage_bytes = greatest(0, storage_bytes + ${bytes}) WHERE id = ${companyId}`,
});

const setBytes = statement('set-asset-bytes', {
  takes: { id: 'uuid', byteSize: 'int' },
  gives: { id: 'uuid' },
  sql: (p) => `UPDATE asset SET byte_size = ${p.byteSize} WHERE id = ${p.id} RETURNING id`,
});

const findOwner = statement('find-owner-of-asset', {
  takes: { id: 'uuid' },
  gives: { companyId: 'uuid' },
  sql: ({ id }) => `SELECT company_id AS "companyId" FROM asset WHERE id = ${id}`,
});

const insertAsset = statement('insert-asset', {
  takes: { id: 'uuid', companyId: 'uuid', storageKey: 'text', byteSize: 'int' },
  gives: {},
  sql: (p) => `
    INSERT INTO asset (id, company_id, storage_key, content_type, byte_size, sha256, expires_at)
    VALUES (${p.id}, ${p.companyId}, ${p.storageKey}, '', ${p.byteSize}, '',
      now() + interval '${UPLOAD_HOURS} hours')`,
});

const deleteExpired = statement('delete-expired-asset', {
  takes: { id: 'uuid' },
  gives: { bytes: 'int' },
  sql: ({ id }) => `
    DELETE FROM asset WHERE id = ${id} AND expires_at IS NOT NULL RETURNING byte_size AS bytes`,
});
