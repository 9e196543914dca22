import type { InboxRow } from '../inbox-row';
import { isStopped } from '../parts';
import { itemsOf, type Presented, patch, post, required, type Source } from '../source';

export const checks: Source = {
  kinds: ['check_failed'],
  items: () => [
    itemsOf(
      'check_failed',
      {
        id: 's.id',
        since: 'unfit.checked_at',
        agentId: 's.id',
        agents: '1',
        facts: "jsonb_build_object('error', unfit.message)",
      },
      `FROM unfit JOIN staff s ON s.id = unfit.agent_id
      WHERE NOT (${isStopped('s')}) AND NOT EXISTS (SELECT FROM failed WHERE failed.agent_id = s.id)`,
    ),
  ],
  present: ({ agentId, agentName, facts }) => ({
    title: `Correct the configuration of ${agentName}`,
    reason: facts.error ?? 'The last check found an error',
    actions: [
      post('check', 'Check again', `/api/agents/${agentId}/check`, { body: {} }),
      configure(agentId),
    ],
  }),
};

export function findingOf({ agentId, facts }: InboxRow): Pick<Presented, 'reason' | 'actions'> {
  if (!facts.finding) return { reason: '', actions: [] };
  return { reason: `. Last check: ${facts.finding}`, actions: [configure(agentId)] };
}

const configure = (agentId: string | null) =>
  patch('configure', 'Change configuration', `/api/agents/${agentId}`, {
    fields: [required('adapterConfig', 'json')],
  });
