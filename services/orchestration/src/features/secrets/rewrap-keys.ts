import type { Pool } from '@switchyard/db';
import type { DataKey, SecretBox } from '../../adapters/secret-box/secret-box';

const PAGE = 100;

const NEXT = `
  SELECT id, company_id AS "companyId", master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey"
  FROM secret_key WHERE master_key_id <> $1 AND master_key_id = ANY ($2) ORDER BY id LIMIT ${PAGE}`;

const REPLACE = `
  UPDATE secret_key SET wrapped_key = $3, master_key_id = $4 WHERE id = $1 AND master_key_id = $2`;

const LEFT = 'SELECT count(*)::int AS count FROM secret_key WHERE master_key_id <> $1';

/**
 * Encrypts every data key with the current master key. One statement replaces each row, so the
 * command may be interrupted, repeated, and run while services run. `left` contains keys whose
 * master key is not configured.
 * @throws Error for a row that was changed manually
 */
export async function rewrapKeys(
  box: SecretBox,
  pool: Pick<Pool, 'query'>,
): Promise<{ rewrapped: number; left: number }> {
  let rewrapped = 0;
  for (;;) {
    const { rows } = await pool.query<DataKey>(NEXT, [box.currentKeyId, box.knownKeyIds]);
    for (const key of rows) {
      const { wrappedKey, masterKeyId } = box.rewrap(key);
      const values = [key.id, key.masterKeyId, wrappedKey, masterKeyId];
      const { rowCount } = await pool.query(REPLACE, values);
      rewrapped += rowCount ?? 0;
    }
    if (rows.length < PAGE) break;
  }
  const { rows } = await pool.query<{ count: number }>(LEFT, [box.currentKeyId]);
  return { rewrapped, left: rows[0]?.count ?? 0 };
}
