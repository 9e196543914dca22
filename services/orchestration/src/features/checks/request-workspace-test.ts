import { ask, statement } from '@switchyard/db';
import { error } from '@switchyard/runner/agents/findings';
import type { CheckWorkspaceBody, Finding } from '@switchyard/types';
import type { RequestCall } from '../../route';
import { assertReference } from '../../state/references';
import { awaitFindings } from './await-findings';

/**
 * @throws ApiError 422 `unknown_reference`, 403 `cross_company` for `agentId`, 503 if too many
 * checks wait
 */
export async function requestWorkspaceTest(
  call: RequestCall<string>,
  workspaceId: string,
  { agentId }: CheckWorkspaceBody,
): Promise<Finding[]> {
  if (agentId) await assertReference(call, 'agent', agentId, 'agentId');
  if (call.companyStatus === 'archived') return [];
  const { runnerTypes: types } = call.context.adapters;
  const [agent] = await ask(call.db, findTester, {
    companyId: call.companyId,
    agentId: agentId ?? null,
    workspaceId,
    types,
  });
  return agent ? awaitFindings(call, { agentId: agent.id, workspaceId }) : [noAgent(agentId)];
}

const noAgent = (agentId: string | undefined): Finding =>
  error(
    'no_agent',
    agentId
      ? 'agentId must be an agent that runs on a runner and is not terminated: choose another agent'
      : 'no agent of the company runs on a runner yet: hire one, then test again',
  );

const findTester = statement('find-workspace-tester', {
  takes: { companyId: 'uuid', agentId: 'uuid?', workspaceId: 'uuid', types: 'text[]' },
  gives: { id: 'uuid' },
  sql: (p) => `
    SELECT a.id FROM agent a
    WHERE a.company_id = ${p.companyId} AND a.adapter_type = ANY (${p.types})
      AND a.status <> 'terminated' AND (${p.agentId}::uuid IS NULL OR a.id = ${p.agentId})
    ORDER BY a.id IS NOT DISTINCT FROM (SELECT p.lead_agent_id FROM workspace w JOIN project p ON p.id = w.project_id
        WHERE w.id = ${p.workspaceId}) DESC,
      a.status IN ('paused', 'pending_approval'), a.created_at, a.id LIMIT 1`,
});
