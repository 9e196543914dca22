import type { ReadPath } from '../read';

export type EntityType = string;

export const COLUMN_PAGE = 'a page of a column';

/**
 * Paths of the queries that an event may change. Other queries are refetched when their screen
 * opens again.
 */
const TOUCHED_BY: Partial<
  Record<ReadPath | typeof COLUMN_PAGE, readonly EntityType[] | 'everything'>
> = {
  '/api/companies': ['company'],
  '/api/companies/{companyId}': ['company'],
  '/api/companies/{companyId}/dashboard': 'everything',
  '/api/companies/{companyId}/overview': 'everything',
  '/api/companies/{companyId}/inbox': 'everything',
  '/api/companies/{companyId}/inbox/counts': 'everything',
  '/api/companies/{companyId}/activity': 'everything',
  '/api/companies/{companyId}/issues': ['issue', 'heartbeat_run', 'label'],
  '/api/companies/{companyId}/issues/board': ['issue', 'heartbeat_run', 'label'],
  [COLUMN_PAGE]: ['label'],
  '/api/companies/{companyId}/issues/counts': ['issue'],
  '/api/companies/{companyId}/views': ['saved_view'],
  '/api/issues/{issueId}': ['issue', 'label', 'document'],
  '/api/issues/{issueId}/thread': ['issue', 'heartbeat_run', 'document', 'attachment', 'approval'],
  '/api/issues/{issueId}/comments': ['issue'],
  '/api/issues/{issueId}/documents': ['issue', 'document'],
  '/api/issues/{issueId}/documents/{key}': ['issue', 'document'],
  '/api/issues/{issueId}/documents/{key}/revisions': ['issue', 'document'],
  '/api/issues/{issueId}/attachments': ['issue', 'attachment'],
  '/api/issues/{issueId}/approvals': ['issue', 'approval'],
  '/api/companies/{companyId}/labels': ['label'],
  '/api/companies/{companyId}/heartbeat-runs': ['heartbeat_run'],
  '/api/companies/{companyId}/run-limits': ['run_limit', 'heartbeat_run', 'agent'],
  '/api/heartbeat-runs/{runId}': ['heartbeat_run', 'agent', 'company', 'run_limit'],
  '/api/companies/{companyId}/agents': ['agent', 'heartbeat_run'],
  '/api/companies/{companyId}/org': ['agent'],
  '/api/agents/{agentId}': ['agent', 'heartbeat_run'],
  '/api/agents/{agentId}/config-revisions': ['agent'],
  '/api/agents/{agentId}/keys': ['agent', 'agent_key'],
  '/api/companies/{companyId}/approvals': ['approval'],
  '/api/approvals/{approvalId}': ['approval'],
  '/api/approvals/{approvalId}/comments': ['approval'],
  '/api/approvals/{approvalId}/issues': ['approval', 'issue'],
  '/api/companies/{companyId}/routines': ['routine', 'routine_run', 'routine_trigger', 'issue'],
  '/api/routines/{routineId}': ['routine', 'routine_run', 'routine_trigger'],
  '/api/routines/{routineId}/triggers/{triggerId}/preview': ['routine', 'routine_trigger'],
  '/api/routines/{routineId}/runs': ['routine', 'routine_run', 'issue'],
  '/api/companies/{companyId}/goals': ['goal', 'issue', 'project'],
  '/api/goals/{goalId}': ['goal'],
  '/api/companies/{companyId}/projects': ['project', 'workspace', 'issue'],
  '/api/projects/{projectId}': ['project', 'workspace'],
  '/api/projects/{projectId}/workspaces': ['project', 'workspace'],
  '/api/companies/{companyId}/secrets': ['secret', 'agent'],
  '/api/secrets/{secretId}': ['secret', 'agent', 'project', 'workspace'],
  '/api/companies/{companyId}/members': ['member', 'membership', 'user'],
  '/api/companies/{companyId}/invites': ['invite'],
  '/api/companies/{companyId}/endpoints': ['endpoint'],
  '/api/endpoints/{endpointId}/deliveries': ['endpoint'],
  '/api/companies/{companyId}/costs/summary': ['heartbeat_run', 'cost_event', 'company'],
  '/api/companies/{companyId}/costs/by-agent': ['heartbeat_run', 'cost_event'],
  '/api/companies/{companyId}/costs/by-day': ['heartbeat_run', 'cost_event'],
};

export function isTouched(path: string, types: ReadonlySet<EntityType>): boolean {
  const touchedBy = TOUCHED_BY[path as keyof typeof TOUCHED_BY];
  if (touchedBy === undefined) return false;
  return touchedBy === 'everything' || touchedBy.some((type) => types.has(type));
}
