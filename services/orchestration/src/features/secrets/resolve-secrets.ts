import { ask, type Database, statement } from '@switchyard/db';
import type { SecretReference } from '@switchyard/runner/agents/environment/agent-environment';
import type { SecretBox } from '../../adapters/secret-box/secret-box';

export type Resolution = { values: Record<string, string> } | { unavailable: string };

/**
 * Returns the values of references; resolves `latest` now (spec, "Secret reference inside
 * adapterConfig env"). Only finds secrets of this company.
 */
export async function resolveSecrets(
  box: SecretBox,
  db: Database,
  companyId: string,
  references: Record<string, SecretReference>,
  below = 'env.',
): Promise<Resolution> {
  const wanted = Object.entries(references);
  if (wanted.length === 0) return { values: {} };
  const rows = await ask(db, readValues, {
    companyId,
    names: wanted.map(([name]) => name),
    secretIds: wanted.map(([, { secretId }]) => secretId),
    versions: wanted.map(([, { version }]) => (version === 'latest' ? 0 : version)),
  });
  const found = new Map(rows.map((row) => [row.name, row]));
  const values: Record<string, string> = {};
  for (const [name] of wanted) {
    const row = found.get(name);
    if (!row) return { unavailable: `${below}${name} must name an existing secret and version` };
    const { secretId, version, ciphertext, keyId: id, masterKeyId, wrappedKey } = row;
    const key = { id, companyId, masterKeyId, wrappedKey };
    try {
      values[name] = box.open(key, { companyId, secretId, version }, ciphertext);
    } catch {
      return { unavailable: `${below}${name} ${UNREADABLE}` };
    }
  }
  return { values };
}

const UNREADABLE =
  'cannot be decrypted: it was stored with another SECRETS_MASTER_KEY; restore that key, or enter the secret again';

const readValues = statement('read-secret-values', {
  takes: { companyId: 'uuid', names: 'text[]', secretIds: 'uuid[]', versions: 'int[]' },
  gives: {
    name: 'text',
    secretId: 'uuid',
    version: 'int',
    ciphertext: 'bytes',
    keyId: 'uuid',
    masterKeyId: 'text',
    wrappedKey: 'bytes',
  },
  sql: (p) => `
    SELECT w.name, v.secret_id AS "secretId", v.version, v.ciphertext, k.id AS "keyId",
      k.master_key_id AS "masterKeyId", k.wrapped_key AS "wrappedKey"
    FROM unnest(${p.names}, ${p.secretIds}, ${p.versions}) AS w(name, secret_id, version)
    JOIN secret s ON s.id = w.secret_id AND s.company_id = ${p.companyId}
    JOIN secret_version v ON v.secret_id = s.id AND v.company_id = s.company_id
      AND v.version = coalesce(nullif(w.version, 0), s.latest_version)
    JOIN secret_key k ON k.id = v.key_id AND k.company_id = v.company_id`,
});
