import { ask, type RowOf, statement } from '@switchyard/db';
import { createTextMask, type TextMask } from '@switchyard/runner/masking/output-masking';
import { secretsOf } from '@switchyard/runner/repositories/access/reach-repository';
import type { SecretBox } from '../../adapters/secret-box/secret-box';
import { type Context, partOf } from '../../kernel/context';
import { namedSecretsSql } from '../../state/agents/named-secrets';

const LIFE_MS = 60_000;
const MAX_KEPT = 1_000;
/**
 * A mask takes up to 3,000 times the memory of its values, so the total size of its values is
 * limited. The shortest values are masked first, because credentials are short.
 */
const MAX_BYTES = 16_384;
const MAX_BYTES_KEPT = 65_536;

/**
 * Reads each secret that the configuration has referenced since the run began, and the credential
 * of the run's repository. Includes every version that has been the latest since then. `since` is a
 * minute before the start, because clocks may differ.
 */
const readValues = statement('read-values-of-run', {
  takes: { runId: 'uuid' },
  gives: {
    companyId: 'uuid',
    secretId: 'uuid',
    version: 'int',
    ciphertext: 'bytes',
    keyId: 'uuid',
    masterKeyId: 'text',
    wrappedKey: 'bytes',
    isCredential: 'bool',
  },
  sql: ({ runId }) => `
  WITH run AS (
    SELECT company_id, agent_id, issue_id,
      coalesce(started_at, created_at) - interval '1 minute' AS since
    FROM heartbeat_run WHERE id = ${runId}
  ), named AS (
    SELECT ref ->> 'secretId' AS secret_id, coalesce(ref ->> 'version', 'latest') AS version,
      false AS is_credential
    FROM run
    CROSS JOIN LATERAL (
      SELECT adapter_config AS config FROM agent WHERE id = run.agent_id
      UNION ALL
      SELECT before -> 'adapterConfig' FROM agent_config_revision
      WHERE company_id = run.company_id AND agent_id = run.agent_id AND created_at >= run.since
    ) known
    CROSS JOIN LATERAL ${namedSecretsSql('known.config')} named(ref)
    UNION
    SELECT w.repo_secret_id::text, coalesce(w.repo_secret_version::text, 'latest'), true
    FROM run JOIN issue i ON i.id = run.issue_id
    JOIN workspace w ON w.project_id = i.project_id AND w.is_primary
    WHERE w.repo_secret_id IS NOT NULL
  )
  SELECT v.company_id AS "companyId", v.secret_id AS "secretId", v.version, v.ciphertext,
    k.id AS "keyId", k.master_key_id AS "masterKeyId", k.wrapped_key AS "wrappedKey",
    n.is_credential AS "isCredential"
  FROM named n CROSS JOIN run
  JOIN secret_version v ON v.secret_id = n.secret_id::uuid AND v.company_id = run.company_id
  JOIN secret_key k ON k.id = v.key_id AND k.company_id = v.company_id
  WHERE CASE n.version
    WHEN 'latest' THEN v.version >= coalesce((
      SELECT max(o.version) FROM secret_version o
      WHERE o.company_id = v.company_id AND o.secret_id = v.secret_id AND o.created_at <= run.since), 0)
    ELSE v.version = n.version::int END`,
});

type Row = RowOf<typeof readValues>;

export const runMasks = partOf(createRunMasks);

interface RunMasks {
  of(runId: string): Promise<TextMask | null>;
}

function open(box: SecretBox, row: Row): string[] {
  const { companyId, secretId, version, keyId: id, masterKeyId, wrappedKey } = row;
  try {
    const key = { id, companyId, masterKeyId, wrappedKey };
    const value = box.open(key, { companyId, secretId, version }, row.ciphertext);
    return row.isCredential ? secretsOf(value) : [value];
  } catch {
    return [];
  }
}

function fitting(values: string[]): { values: string[]; bytes: number } {
  const fit: string[] = [];
  let bytes = 0;
  for (const value of [...new Set(values)].sort((one, other) => one.length - other.length)) {
    if (bytes + Buffer.byteLength(value) > MAX_BYTES) break;
    bytes += Buffer.byteLength(value);
    fit.push(value);
  }
  return { values: fit, bytes };
}

interface Kept {
  until: number;
  bytes: number;
  mask: Promise<TextMask | null>;
}

function createRunMasks({ db, secretBox }: Context): RunMasks {
  const kept = new Map<string, Kept>();

  const read = async (runId: string, entry: Kept): Promise<TextMask | null> => {
    const rows = await ask(db, readValues, { runId });
    const { values, bytes } = fitting(rows.flatMap((row) => open(secretBox, row)));
    entry.bytes = bytes;
    return values.length > 0 ? createTextMask(values) : null;
  };
  const forgetOld = () => {
    const now = performance.now();
    let bytes = [...kept.values()].reduce((sum, each) => sum + each.bytes, 0);
    for (const [id, entry] of kept) {
      if (entry.until > now && kept.size <= MAX_KEPT && bytes <= MAX_BYTES_KEPT) return;
      bytes -= entry.bytes;
      kept.delete(id);
    }
  };

  return {
    of: (runId) => {
      forgetOld();
      const known = kept.get(runId);
      if (known) return known.mask;
      const entry = { until: performance.now() + LIFE_MS, bytes: 0, mask: Promise.resolve(null) };
      const mask = read(runId, entry);
      mask.catch(() => kept.delete(runId));
      kept.set(runId, Object.assign(entry, { mask }));
      return mask;
    },
  };
}
