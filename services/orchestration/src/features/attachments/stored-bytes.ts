import { type Database, inTransaction, newId, type Transaction } from '@switchyard/db';
import { conflict, notFound } from '@switchyard/server';
import { newStorageKey } from '../../adapters/file-store/file-store';

/** How long an upload that nobody finishes may take before the sweep removes it. */
const UPLOAD_HOURS = 1;

export interface ReservedAsset {
  id: string;
  storageKey: string;
  /** No more may be written: the rest of the quota, or what the sender may send at most. */
  reservedBytes: number;
  quotaBytes: number;
}

export function storageFull(usedBytes: number, limitBytes: number) {
  const details = { usedBytes, limitBytes, retry: false };
  return conflict('storage_full', `the company may store ${limitBytes} bytes`, details);
}

async function lockCompany(tx: Transaction, companyId: string): Promise<number> {
  const [company] = await tx.prisma.$queryRaw<{ used: number }[]>`
    SELECT storage_bytes::float8 AS used FROM company WHERE id = ${companyId}::uuid
    FOR NO KEY UPDATE`;
  if (!company) throw notFound('company');
  return company.used;
}

async function countBytes(tx: Transaction, companyId: string, bytes: number): Promise<void> {
  await tx.prisma.$executeRaw`
    UPDATE company SET storage_bytes = greatest(0, storage_bytes + ${bytes})
    WHERE id = ${companyId}::uuid`;
}

/**
 * The row of a file before its first byte, with the room that it may need at most already counted: a
 * company's count is the sum over its assets, those under way included, and never more than its quota.
 * @throws ApiError 409 `storage_full` when no room is left
 */
export async function reserveAsset(
  db: Database,
  companyId: string,
  room: { atMostBytes: number; quotaBytes: number },
): Promise<ReservedAsset> {
  const { atMostBytes, quotaBytes } = room;
  const asset = { id: newId(), storageKey: newStorageKey() };
  const expiresAt = new Date(Date.now() + UPLOAD_HOURS * 3_600_000);
  return inTransaction(db, async (tx) => {
    const used = await lockCompany(tx, companyId);
    const left = quotaBytes === 0 ? atMostBytes : quotaBytes - used;
    if (left <= 0) throw storageFull(used, quotaBytes);
    const byteSize = Math.min(atMostBytes, left);
    await countBytes(tx, companyId, byteSize);
    await tx.prisma.asset.create({
      data: { ...asset, companyId, contentType: '', byteSize, sha256: '', expiresAt },
    });
    return { ...asset, reservedBytes: byteSize, quotaBytes };
  });
}

/** The file is whole: of what was reserved only its own bytes stay counted. */
export async function settleAsset(
  db: Database,
  companyId: string,
  asset: ReservedAsset,
  byteSize: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockCompany(tx, companyId);
    await tx.prisma.asset.update({ where: { id: asset.id }, data: { byteSize } });
    await countBytes(tx, companyId, byteSize - asset.reservedBytes);
  });
}

/** Removes the row of an expired file whose bytes are gone, and counts them no more. */
export async function forgetAsset(db: Database, id: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const asset = await tx.prisma.asset.findUnique({ where: { id }, select: { companyId: true } });
    if (!asset) return;
    await lockCompany(tx, asset.companyId);
    const [gone] = await tx.prisma.$queryRaw<{ bytes: number }[]>`
      DELETE FROM asset WHERE id = ${id}::uuid AND expires_at IS NOT NULL
      RETURNING byte_size AS bytes`;
    if (gone) await countBytes(tx, asset.companyId, -gone.bytes);
  });
}

/**
 * Counts every company's files anew: what a release that did not count has stored or removed beside us
 * would else be missing for ever.
 */
export async function recountBytes({ db }: { db: Database }): Promise<void> {
  const companies = await db.prisma.company.findMany({ select: { id: true } });
  for (const { id } of companies) {
    await inTransaction(db, async (tx) => {
      await lockCompany(tx, id);
      await tx.prisma.$executeRaw`
        UPDATE company SET storage_bytes = found.bytes
        FROM (SELECT coalesce(sum(byte_size), 0) AS bytes FROM asset WHERE company_id = ${id}::uuid) found
        WHERE id = ${id}::uuid AND storage_bytes <> found.bytes`;
    });
  }
}
