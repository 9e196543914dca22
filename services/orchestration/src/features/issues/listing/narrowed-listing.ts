import { statement } from '@switchyard/db';
import { ISSUE_SORTS, ISSUE_STATUSES, type IssueSort } from '@switchyard/types';
import { WORDS, wordsQuery } from '../../../lists/words-query';
import { LISTED_ISSUE } from '../../../state/issues/issue-columns';
import { isBehind, mergedPage, startTakes } from './issue-order';

/** Filters that look into other tables. */
interface Elsewhere {
  label: boolean;
  approval: boolean;
  words: boolean;
}

export type NarrowedListing = ReturnType<typeof declareNarrowed>;

/** The statement of a list with any filters; those that are not given are null. */
export function narrowedListing(sort: IssueSort, elsewhere: Elsewhere): NarrowedListing {
  return NARROWED[nameOf(sort, elsewhere)] as NarrowedListing;
}

/**
 * Written for each order, and for each choice of filters that look into other tables. Asked afresh, so that PostgreSQL
 * leaves out statuses and filters that are not asked for, and decides by what it knows of the values whether to read what
 * fits and sort it, or to read in the order of the list until the page is full.
 */
const NARROWED: Readonly<Record<string, NarrowedListing>> = Object.fromEntries(
  ISSUE_SORTS.flatMap((sort) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((bits) =>
      declareNarrowed(sort, { label: !!(bits & 1), approval: !!(bits & 2), words: !!(bits & 4) }),
    ),
  ).map((listing) => [listing.name, listing]),
);

function nameOf(sort: IssueSort, elsewhere: Elsewhere) {
  const chosen = Object.entries(elsewhere).flatMap(([name, isChosen]) => (isChosen ? [name] : []));
  return ['list-narrowed-issues', sort, ...chosen].join('-');
}

function declareNarrowed(sort: IssueSort, elsewhere: Elsewhere) {
  const { label, approval, words } = elsewhere;
  const takes = {
    companyId: 'uuid',
    ...startTakes(sort),
    take: 'int',
    statuses: 'text[]',
    assigneeAgentId: 'uuid?',
    isUnassigned: 'bool',
    projectId: 'uuid?',
    goalId: 'uuid?',
    parentId: 'uuid?',
    updatedAfter: 'time?',
    ...((label && { labelId: 'uuid?' }) as { labelId: 'uuid?' }),
    ...((approval && { approvalId: 'uuid?' }) as { approvalId: 'uuid?' }),
    ...((words && WORDS) as typeof WORDS),
  } as const;
  return statement(nameOf(sort, elsewhere), {
    takes,
    gives: LISTED_ISSUE,
    sql: (p) => {
      const where = (status: string) => `
        i.company_id = ${p.companyId} AND i.status = '${status}' AND '${status}' = ANY (${p.statuses})
        AND (${p.assigneeAgentId} IS NULL OR i.assignee_agent_id = ${p.assigneeAgentId})
        AND (NOT ${p.isUnassigned} OR i.assignee_agent_id IS NULL)
        AND (${p.projectId} IS NULL OR i.project_id = ${p.projectId})
        AND (${p.goalId} IS NULL OR i.goal_id = ${p.goalId})
        AND (${p.parentId} IS NULL OR i.parent_id = ${p.parentId})
        AND (${p.updatedAfter} IS NULL OR i.updated_at > ${p.updatedAfter})
        ${label ? `AND i.id IN (SELECT issue_id FROM issue_label WHERE company_id = ${p.companyId} AND label_id = ${p.labelId})` : ''}
        ${approval ? `AND i.id IN (SELECT issue_id FROM approval_issue WHERE approval_id = ${p.approvalId})` : ''}
        ${words ? `AND i.id IN (SELECT entity_id FROM search_entry WHERE kind = 'issue' AND words @@ ${wordsQuery(p, 'issue')})` : ''}
        AND ${isBehind(sort, p)}`;
      return mergedPage(sort, ISSUE_STATUSES.map(where), p.take);
    },
  });
}
