import { ask, type Database, statement } from '@switchyard/db';
import type { Upload } from './stored-bytes';

export async function finishAsset(
  db: Database,
  { assetId, contentType, byteSize, sha256 }: Upload,
  hours: number | null,
): Promise<void> {
  await ask(db, finish, { assetId, contentType, byteSize, sha256, hours });
}

export async function expireAsset(db: Database, assetId: string): Promise<void> {
  await ask(db, expire, { assetId, onlyUnfinished: false });
}

export async function expireUnfinished(db: Database, assetId: string): Promise<boolean> {
  return (await ask(db, expire, { assetId, onlyUnfinished: true })).length > 0;
}

export async function keepAsset(db: Database, assetId: string): Promise<boolean> {
  return (await ask(db, keep, { assetId })).length > 0;
}

export async function hasAsset(db: Database, assetId: string): Promise<boolean> {
  return (await ask(db, find, { assetId })).length > 0;
}

const find = statement('find-asset', {
  takes: { assetId: 'uuid' },
  gives: {},
  sql: ({ assetId }) => `SELECT FROM asset WHERE id = ${assetId}`,
});

const finish = statement('finish-asset', {
  takes: {
    assetId: 'uuid',
    contentType: 'text',
    byteSize: 'int',
    sha256: 'text',
    hours: 'int?',
  },
  gives: {},
  sql: (p) => `
    UPDATE asset SET content_type = ${p.contentType}, byte_size = ${p.byteSize}, sha256 = ${p.sha256},
      expires_at = now() + make_interval(hours => ${p.hours})
    WHERE id = ${p.assetId}`,
});

const expire = statement('expire-asset', {
  takes: { assetId: 'uuid', onlyUnfinished: 'bool' },
  gives: { id: 'uuid' },
  sql: ({ assetId, onlyUnfinished }) => `
    UPDATE asset SET expires_at = now()
    WHERE id = ${assetId} AND (sha256 = '' OR NOT ${onlyUnfinished}) RETURNING id`,
});

/**
 * Does not keep a file that expires within a minute, because the sweep could delete the file before
 * the transaction commits.
 */
const keep = statement('keep-asset', {
  takes: { assetId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ assetId }) => `
    UPDATE asset SET expires_at = NULL
    WHERE id = ${assetId} AND sha256 <> '' AND expires_at > now() + interval '1 minute' RETURNING id`,
});
