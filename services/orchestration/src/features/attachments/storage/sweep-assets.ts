import { anySql, ask, statement } from '@switchyard/db';
import type { Context } from '../../../kernel/context';
import { removeAsset } from '../upload';

const BATCH = 50;

const EXPIRED = { from: 'asset', where: 'expires_at < now()', order: 'expires_at' };

export const hasExpiredAssetsSql = anySql(EXPIRED);

export async function sweepAssets(context: Pick<Context, 'db' | 'files'>): Promise<void> {
  const { db, files } = context;
  const failures: unknown[] = [];
  for (const asset of await ask(db, findExpired, {})) {
    await removeAsset(db, files, asset).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

const findExpired = statement('sweep-assets', {
  takes: {},
  gives: { id: 'uuid', storageKey: 'text' },
  sql: () => `
    SELECT id, storage_key AS "storageKey" FROM ${EXPIRED.from}
    WHERE ${EXPIRED.where} ORDER BY ${EXPIRED.order} LIMIT ${BATCH}`,
});
