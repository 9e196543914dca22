import { type CountIssuesQuery, ISSUE_STATUSES } from '@switchyard/types';
import { NO_WORDS, WORDS, wordsQuery } from '../../../lists/words-query';
import type { Sought } from './sought-issues';

export const NARROWING = {
  statuses: 'text[]',
  assigneeAgentId: 'uuid?',
  assigneeUserId: 'text?',
  isUnassigned: 'bool',
  projectId: 'uuid?',
  goalId: 'uuid?',
  servingGoals: 'uuid[]?',
  servingProjects: 'uuid[]?',
  parentId: 'uuid?',
  updatedAfter: 'time?',
  labelId: 'uuid?',
  isWorded: 'bool',
  ...WORDS,
} as const;

export type Filters = Omit<CountIssuesQuery, 'label' | 'q' | 'approvalId' | 'servesGoalId'>;

export function narrowingOf(query: Filters, { labelId, words, scope }: Omit<Sought, 'ids'>) {
  return {
    statuses: statusesOf(query),
    assigneeAgentId: query.assigneeAgentId ?? null,
    assigneeUserId: query.assigneeUserId ?? null,
    isUnassigned: query.unassigned === 'true',
    projectId: query.projectId ?? null,
    goalId: query.goalId ?? null,
    servingGoals: scope?.goals ?? null,
    servingProjects: scope?.projects ?? null,
    parentId: query.parentId ?? null,
    updatedAfter: query.updatedAfter ? new Date(query.updatedAfter) : null,
    labelId,
    isWorded: words !== null,
    ...(words ?? NO_WORDS),
  };
}

export const statusesOf = ({ status }: Pick<Filters, 'status'>) =>
  status ? ISSUE_STATUSES.filter((one) => status.includes(one)) : [...ISSUE_STATUSES];

type Parameters = Readonly<Record<keyof typeof NARROWING | 'companyId', string>>;

export const isChosen = (p: Parameters) => `${hasColumns(p)}
  AND (${p.labelId} IS NULL OR (
    SELECT true FROM issue_label WHERE issue_id = i.id AND label_id = ${p.labelId}))
  AND (NOT ${p.isWorded} OR (
    SELECT words @@ ${wordsQuery(p, "'issue'")} FROM search_entry
    WHERE entity_id = i.id AND kind = 'issue'))`;

export const isCounted = (p: Parameters) => `${hasColumns(p)}
  AND (${p.labelId} IS NULL OR i.id IN (SELECT issue_id FROM issue_label
    WHERE company_id = ${p.companyId} AND label_id = ${p.labelId}))
  AND (NOT ${p.isWorded} OR i.id IN (SELECT entity_id FROM search_entry
    WHERE words @@ ${wordsQuery(p, "'issue'")} AND kind = 'issue'))`;

function hasColumns(p: Parameters): string {
  return `i.company_id = ${p.companyId}
  AND (${p.assigneeAgentId} IS NULL OR i.assignee_agent_id = ${p.assigneeAgentId})
  AND (${p.assigneeUserId} IS NULL OR i.assignee_user_id = ${p.assigneeUserId})
  AND (NOT ${p.isUnassigned} OR i.assignee_agent_id IS NULL AND i.assignee_user_id IS NULL)
  AND (${p.projectId} IS NULL OR i.project_id = ${p.projectId})
  AND (${p.goalId} IS NULL OR i.goal_id = ${p.goalId})
  AND (${p.servingGoals} IS NULL OR i.goal_id = ANY (${p.servingGoals})
    OR i.project_id = ANY (${p.servingProjects}))
  AND (${p.parentId} IS NULL OR i.parent_id = ${p.parentId})
  AND (${p.updatedAfter} IS NULL OR i.updated_at > ${p.updatedAfter})`;
}
