import type { Context } from '../../context';
import { removeAsset } from './upload';

const BATCH = 50;

/** Removes uploads that nobody finished, logos that nobody took, and what was replaced or deleted. */
export async function sweepAssets(context: Pick<Context, 'db' | 'files'>): Promise<void> {
  const { db, files } = context;
  const expired = await db.rows<{ id: string; storage_key: string }>(
    'sweep-assets',
    `SELECT id, storage_key FROM asset WHERE expires_at < now() ORDER BY expires_at LIMIT ${BATCH}`,
    [],
  );
  const failures: unknown[] = [];
  for (const { id, storage_key: storageKey } of expired) {
    await removeAsset(db, files, { id, storageKey }).catch((error) => failures.push(error));
  }
  // One that cannot be removed must not keep the others; it is told once they are gone.
  if (failures.length > 0) throw failures[0];
}
