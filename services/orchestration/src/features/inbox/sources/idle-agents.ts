import { isLeft, isNotWaiting } from '../parts';
import { itemsOf, post, type Source } from '../source';

export const idleAgents: Source = {
  kinds: ['agent_idle'],
  items: (p) => {
    const toDo = `FROM issue i WHERE i.company_id = ${p.companyId} AND i.assignee_agent_id = s.id
          AND i.status = 'todo' AND ${isLeft('i')} AND ${isNotWaiting('i')}`;
    const item = itemsOf(
      'agent_idle',
      {
        id: 's.id',
        since: 'waiting.oldest',
        happenedAt: 'waiting.newest',
        agentId: 's.id',
        agents: '1',
        issues: 'waiting.n',
        facts: "jsonb_build_object('issueId', waiting.first)",
      },
      'FROM staff s',
      {
        columnJoins: `LEFT JOIN LATERAL (
        SELECT count(*) AS n, min(i.status_since) AS oldest, max(i.status_since) AS newest,
          (array_agg(i.id ORDER BY i.priority_rank, i.created_at, i.id))[1] AS first
        ${toDo}
      ) waiting ON true`,
        where: `WHERE s.may_run AND NOT s.is_awake AND (SELECT true ${toDo} LIMIT 1)`,
      },
    );
    return [item];
  },
  present: ({ agentId, agentName, issues, facts }) => ({
    title: `Wake ${agentName}`,
    reason: `${issues === 1 ? 'One issue is' : `${issues} issues are`} waiting, and nothing wakes the agent`,
    actions: [
      post('wake', 'Wake agent', `/api/agents/${agentId}/heartbeat/invoke`, {
        body: { issueId: facts.issueId },
      }),
    ],
  }),
};
