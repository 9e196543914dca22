import type { Database } from '@switchyard/db';
import type { SecretReference } from '../../adapters/agents/agent-environment';
import type { SecretBox } from '../../adapters/secret-box/secret-box';

export type Resolution =
  | { values: Record<string, string> }
  /** Names the variable, never a value. */
  | { unavailable: string };

const RESOLVE = `
  SELECT w.name, v.secret_id, v.version, v.ciphertext, k.id AS key_id, k.master_key_id, k.wrapped_key
  FROM unnest($2::text[], $3::uuid[], $4::int[]) AS w(name, secret_id, version)
  JOIN secret s ON s.id = w.secret_id AND s.company_id = $1::uuid
  JOIN secret_version v ON v.secret_id = s.id AND v.company_id = s.company_id
    AND v.version = coalesce(w.version, s.latest_version)
  JOIN secret_key k ON k.id = v.key_id AND k.company_id = v.company_id`;

interface Row {
  name: string;
  secret_id: string;
  version: number;
  ciphertext: Uint8Array;
  key_id: string;
  master_key_id: string;
  wrapped_key: Uint8Array<ArrayBuffer>;
}

/**
 * The values behind references, `latest` as of now (spec, "Secret reference inside adapterConfig env").
 * Only secrets of this company are found, whatever a configuration names.
 */
export async function resolveSecrets(
  box: SecretBox,
  db: Database,
  companyId: string,
  references: Record<string, SecretReference>,
): Promise<Resolution> {
  const wanted = Object.entries(references);
  if (wanted.length === 0) return { values: {} };
  const rows = await db.rows<Row>('resolve-secrets', RESOLVE, [
    companyId,
    wanted.map(([name]) => name),
    wanted.map(([, { secretId }]) => secretId),
    wanted.map(([, { version }]) => (version === 'latest' ? null : version)),
  ]);
  const found = new Map(rows.map((row) => [row.name, row]));
  const values: Record<string, string> = {};
  for (const [name] of wanted) {
    const row = found.get(name);
    if (!row) return { unavailable: `env.${name} names a secret or a version that does not exist` };
    const { master_key_id: masterKeyId, wrapped_key: wrappedKey } = row;
    const key = { id: row.key_id, companyId, masterKeyId, wrappedKey };
    try {
      const place = { companyId, secretId: row.secret_id, version: row.version };
      values[name] = box.open(key, place, row.ciphertext);
    } catch {
      return { unavailable: `env.${name} cannot be decrypted with the configured master key` };
    }
  }
  return { values };
}
