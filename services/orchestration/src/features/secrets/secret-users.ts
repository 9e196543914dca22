import { ask, type Database, type RowOf, statement } from '@switchyard/db';
import type { SecretUser } from '@switchyard/types';
import { namedSecretsSql } from '../../state/agents/named-secrets';

const MAX_NAMED = 100;

/**
 * Finds all users of a secret: agents whose configuration references it, workspaces that use it,
 * and live runs whose output is masked with it. Older configurations do not count, because a
 * rollback checks its references again.
 */
export async function findUsers(
  db: Database,
  { id, companyId }: { id: string; companyId: string },
): Promise<{ usedBy: SecretUser[]; usedByCount: number }> {
  const rows = await ask(db, readUsers, { secretId: id, companyId });
  return { usedBy: rows.map(present), usedByCount: rows[0]?.total ?? 0 };
}

export async function countUsers(db: Database, companyId: string): Promise<Map<string, number>> {
  const rows = await ask(db, countNames, { companyId });
  return new Map(rows.map(({ secretId, n }) => [secretId, n]));
}

const countNames = statement('count-secret-users', {
  takes: { companyId: 'uuid' },
  gives: { secretId: 'text', n: 'int' },
  sql: ({ companyId }) => `
    SELECT secret_id AS "secretId", count(*)::int AS n FROM (
      SELECT DISTINCT a.id, lower(named.ref ->> 'secretId') AS secret_id
      FROM agent a CROSS JOIN LATERAL ${namedSecretsSql('a.adapter_config')} named(ref)
      WHERE a.company_id = ${companyId} AND a.status <> 'terminated'
      UNION ALL
      SELECT w.id, w.repo_secret_id::text FROM workspace w
      WHERE w.company_id = ${companyId} AND w.repo_secret_id IS NOT NULL
    ) named WHERE secret_id IS NOT NULL GROUP BY secret_id`,
});

function present({ total: _, ...user }: RowOf<typeof readUsers>): SecretUser {
  return user as SecretUser;
}

const names = (config: string, secretId: string) => `EXISTS (
  SELECT FROM ${namedSecretsSql(config)} named(ref)
  WHERE lower(ref ->> 'secretId') = ${secretId}::text)`;

/**
 * A run received the secrets that its agent's configuration referenced when the run started. Also
 * includes the minute before the start, because clocks may differ.
 */
const readUsers = statement('read-secret-users', {
  takes: { secretId: 'uuid', companyId: 'uuid' },
  gives: {
    kind: 'text',
    id: 'uuid',
    name: 'text',
    agentId: 'uuid?',
    projectId: 'uuid?',
    fields: 'text[]',
    total: 'int',
  },
  sql: (p) => `
    WITH users AS (
      SELECT 'agent' AS kind, a.id, a.name, a.id AS agent_id, NULL::uuid AS project_id,
        ARRAY(SELECT 'adapterConfig.env.' || e.key FROM jsonb_each(a.adapter_config -> 'env') e
          WHERE e.value ->> 'type' = 'secret_ref' AND lower(e.value ->> 'secretId') = ${p.secretId}::text
          UNION ALL SELECT 'adapterConfig.signingSecret'
          WHERE lower(a.adapter_config -> 'signingSecret' ->> 'secretId') = ${p.secretId}::text
          ORDER BY 1) AS fields
      FROM agent a
      WHERE a.company_id = ${p.companyId} AND a.status <> 'terminated'
        AND ${names('a.adapter_config', p.secretId)}
      UNION ALL
      SELECT 'workspace', w.id, w.name, NULL, w.project_id, ARRAY['repoCredential']
      FROM workspace w
      WHERE w.company_id = ${p.companyId} AND w.repo_secret_id = ${p.secretId}
      UNION ALL
      SELECT 'run', r.id, a.name, a.id, NULL, ARRAY[]::text[]
      FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
      WHERE r.company_id = ${p.companyId} AND r.status = 'running' AND (
        a.status = 'terminated' AND ${names('a.adapter_config', p.secretId)}
        OR EXISTS (
          SELECT FROM agent_config_revision v
          WHERE v.company_id = r.company_id AND v.agent_id = r.agent_id
            AND v.created_at >= coalesce(r.started_at, r.created_at) - interval '1 minute'
            AND ${names("v.before -> 'adapterConfig'", p.secretId)}))
    )
    SELECT kind, id, name, agent_id AS "agentId", project_id AS "projectId", fields,
      count(*) OVER ()::int AS total
    FROM users ORDER BY kind, name, id LIMIT ${MAX_NAMED}`,
});
