import type { NavigateOptions } from '@tanstack/react-router';
import type { InboxItem } from './inbox-item';

export function addressOf(item: InboxItem, company: string): NavigateOptions {
  if (item.approvalId) {
    return { to: '/$company/approvals/$approval', params: { company, approval: item.approvalId } };
  }
  if (item.runId) return { to: '/$company/runs/$run', params: { company, run: item.runId } };
  if (item.issueId)
    return { to: '/$company/issues/$issue', params: { company, issue: item.issueId } };
  if (item.routineId) {
    return { to: '/$company/routines/$routine', params: { company, routine: item.routineId } };
  }
  if (item.agentId)
    return { to: '/$company/agents/$agent', params: { company, agent: item.agentId } };
  const to = PAGES[item.kind] ?? '/$company/settings';
  return { to, params: { company } };
}

const PAGES: Partial<Record<InboxItem['kind'], NavigateOptions['to']>> = {
  secret_missing: '/$company/secrets',
  invite: '/$company/people',
  endpoint_disabled: '/$company/settings/webhooks',
  budget_near: '/$company/costs',
  budget_spent: '/$company/costs',
};
