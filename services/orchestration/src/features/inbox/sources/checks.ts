import { itemSql, patch, post, required, type Source } from '../source';

/** Agents whose last check found what keeps them from running; a run that succeeds later has shown the contrary. */
export const checks: Source = {
  kinds: ['check_failed'],
  sql: (p) => [
    itemSql(
      'check_failed',
      {
        id: 's.id',
        since: 'c.checked_at',
        agentId: 's.id',
        agents: '1',
        facts: "jsonb_build_object('error', left(c.errors #>> '{0,message}', 300))",
      },
      `FROM staff s JOIN agent_last_check c ON c.agent_id = s.id AND c.company_id = ${p.companyId}
      WHERE c.errors <> '[]' AND (
        SELECT r.id FROM heartbeat_run r WHERE r.agent_id = s.id AND r.status = 'succeeded'
          AND r.created_at > c.checked_at LIMIT 1) IS NULL`,
    ),
  ],
  present: ({ agentId, agentName, facts }) => ({
    title: `Correct the configuration of ${agentName}`,
    reason: facts.error ?? 'Its last check found an error',
    actions: [
      post('check', 'Check again', `/api/agents/${agentId}/check`, { body: {} }),
      patch('configure', 'Change the configuration', `/api/agents/${agentId}`, {
        fields: [required('adapterConfig', 'json')],
      }),
    ],
  }),
};
