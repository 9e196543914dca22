import { itemsOf, patch, required, type Source } from '../source';

export const secrets: Source = {
  kinds: ['secret_missing'],
  items: (p) => [
    itemsOf(
      'secret_missing',
      {
        id: 's.id',
        since: 'coalesce(written.created_at, s.created_at)',
        fingerprint: 'missing.names',
        agentId: 's.id',
        agents: '1',
        facts: "jsonb_build_object('names', missing.names)",
      },
      `FROM staff s JOIN agent a ON a.id = s.id
      CROSS JOIN LATERAL (
        SELECT string_agg(named.key, ', ' ORDER BY named.key) AS names
        FROM (
          SELECT key, value FROM jsonb_each(CASE jsonb_typeof(a.adapter_config -> 'env') WHEN 'object'
            THEN a.adapter_config -> 'env' END)
          UNION ALL SELECT 'signingSecret', a.adapter_config -> 'signingSecret'
        ) named
        LEFT JOIN secret x ON x.company_id = ${p.companyId} AND x.id::text = lower(named.value ->> 'secretId')
        WHERE jsonb_typeof(named.value) = 'object' AND named.value ->> 'type' = 'secret_ref'
          AND (x.id IS NULL OR CASE jsonb_typeof(named.value -> 'version') WHEN 'number'
            THEN (named.value ->> 'version')::numeric > x.latest_version ELSE false END)
      ) missing`,
      {
        columnJoins: `LEFT JOIN LATERAL (
        SELECT v.created_at FROM agent_config_revision v
        WHERE v.company_id = ${p.companyId} AND v.agent_id = s.id ORDER BY v.created_at DESC, v.id DESC LIMIT 1
      ) written ON true`,
        where: 'WHERE missing.names IS NOT NULL',
      },
    ),
  ],
  present: ({ agentId, agentName, facts }) => ({
    title: `Provide the secrets of ${agentName}`,
    reason: `${facts.names}: the secret or its version does not exist`,
    actions: [
      patch('configure', 'Choose another secret', `/api/agents/${agentId}`, {
        fields: [required('adapterConfig', 'json')],
      }),
    ],
  }),
};
