import { seed } from '../lists/seed.mjs';

const FURTHER = [
  'SET statement_timeout = 0',
  'SET synchronous_commit = off',
  `DO $$ BEGIN
    IF current_setting('is_superuser')::boolean THEN SET session_replication_role = replica; END IF;
  END $$`,
  `INSERT INTO issue_document (id, company_id, issue_id, key, latest_revision_id, latest_revision_number, created_at)
   SELECT gen_random_uuid(), company_id, id, 'plan', gen_random_uuid(), 1, created_at
   FROM issue WHERE issue_number % 10 = 1`,
  `INSERT INTO document_revision (id, company_id, document_id, revision_number, title, format, body, created_at)
   SELECT latest_revision_id, company_id, id, 1, 'Plan', 'markdown', 'A word of the plan', created_at FROM issue_document`,
  `INSERT INTO search_entry (company_id, kind, entity_id, at, title_words, words)
   SELECT company_id, 'document', document_id, created_at, search_words(title) || scope,
     search_words(title) || search_words(body) || scope
   FROM document_revision CROSS JOIN LATERAL array_to_tsvector(ARRAY['document/' || company_id]) scope
   ON CONFLICT DO NOTHING`,
  `WITH made AS (
     INSERT INTO asset (id, company_id, storage_key, content_type, byte_size, sha256)
     SELECT gen_random_uuid(), company_id, id::text, 'text/plain', 1, 'x' FROM issue WHERE issue_number % 10 = 1
     RETURNING id, company_id, storage_key)
   INSERT INTO attachment (id, company_id, issue_id, asset_id, original_filename)
   SELECT gen_random_uuid(), company_id, storage_key::uuid, id, 'notes.txt' FROM made`,
  `INSERT INTO cost_event (id, source, company_id, agent_id, issue_id, run_id, provider, model, input_tokens, output_tokens,
     cost_cents, created_at, occurred_at)
   SELECT id, 'agent', company_id, agent_id, issue_id, id, 'provider-' || n % 3, 'model-' || n % 12, 1000 + n % 5000, n % 900, n % 40,
     created_at, created_at
   FROM (SELECT *, row_number() OVER (ORDER BY created_at, id) AS n FROM heartbeat_run) run WHERE n % 10 = 1`,
  `INSERT INTO agent_month (company_id, agent_id, month, cost_cents, input_tokens, output_tokens)
   SELECT company_id, agent_id, date_trunc('month', created_at AT TIME ZONE 'UTC')::date,
     sum(cost_cents), sum(input_tokens), sum(output_tokens)
   FROM cost_event GROUP BY 1, 2, 3`,
  'DELETE FROM search_change',
  'VACUUM (ANALYZE)',
];

export const fillLists = (size) => async (pool) => {
  const known = await seed(pool, size);
  const client = await pool.connect();
  try {
    for (const sql of FURTHER) await client.query(sql);
  } finally {
    client.release(true);
  }
  return { ...known, document: 'plan' };
};

export async function endOldWork(pool, { company }, waiting) {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    const { rows } = await client.query(
      `SELECT created_at FROM issue WHERE company_id = $1 ORDER BY issue_number DESC OFFSET $2 LIMIT 1`,
      [company, waiting - 1],
    );
    const began = rows[0]?.created_at;
    if (!began) return;
    await client.query(
      `UPDATE issue SET status = 'done' WHERE company_id = $1 AND created_at < $2
       AND status NOT IN ('done', 'cancelled')`,
      [company, began],
    );
    await client.query(
      `UPDATE approval SET status = 'approved', decided_at = now() WHERE company_id = $1 AND created_at < $2`,
      [company, began],
    );
    await client.query('VACUUM (ANALYZE) issue, approval');
  } finally {
    client.release(true);
  }
}
