import { statement } from '@switchyard/db';
import { ISSUE_SORTS, ISSUE_STATUSES, type IssueSort } from '@switchyard/types';
import { WORDS, wordsQuery } from '../../../lists/words-query';
import { LISTED_ISSUE } from '../listed-issue-facts';
import { isBehind, mergedPage, startTakes } from './issue-order';

export type NarrowedListing = ReturnType<typeof declareNarrowed>;

/** The statement of a list with any filters, of few issues that are known or of all; filters that are not given are null. */
export function narrowedListing(sort: IssueSort, ofFew: boolean): NarrowedListing {
  return (ofFew ? OF_FEW : OF_ALL)[sort];
}

const declareAll = (ofFew: boolean) =>
  Object.fromEntries(ISSUE_SORTS.map((sort) => [sort, declareNarrowed(sort, ofFew)])) as Record<
    IssueSort,
    NarrowedListing
  >;

/**
 * Asked afresh, so that PostgreSQL leaves out statuses and filters that are not asked for, and decides by what it knows of
 * the values whether to read what fits and sort it, or to read in the order of the list until the page is full.
 */
const [OF_ALL, OF_FEW] = [declareAll(false), declareAll(true)];

function declareNarrowed(sort: IssueSort, ofFew: boolean) {
  const takes = {
    companyId: 'uuid',
    ...startTakes(sort),
    take: 'int',
    statuses: 'text[]',
    assigneeAgentId: 'uuid?',
    assigneeUserId: 'text?',
    isUnassigned: 'bool',
    projectId: 'uuid?',
    goalId: 'uuid?',
    parentId: 'uuid?',
    updatedAfter: 'time?',
    labelId: 'uuid?',
    isWorded: 'bool',
    ...WORDS,
    ...((ofFew && { ids: 'uuid[]' }) as { ids: 'uuid[]' }),
  } as const;
  return statement(`list-${ofFew ? 'few' : 'narrowed'}-issues-by-${sort}`, {
    takes,
    gives: LISTED_ISSUE,
    sql: (p) => {
      const where = (which: string) => `i.company_id = ${p.companyId} AND ${which}
        AND (${p.assigneeAgentId} IS NULL OR i.assignee_agent_id = ${p.assigneeAgentId})
        AND (${p.assigneeUserId} IS NULL OR i.assignee_user_id = ${p.assigneeUserId})
        AND (NOT ${p.isUnassigned} OR i.assignee_agent_id IS NULL AND i.assignee_user_id IS NULL)
        AND (${p.projectId} IS NULL OR i.project_id = ${p.projectId})
        AND (${p.goalId} IS NULL OR i.goal_id = ${p.goalId})
        AND (${p.parentId} IS NULL OR i.parent_id = ${p.parentId})
        AND (${p.updatedAfter} IS NULL OR i.updated_at > ${p.updatedAfter})
        AND (${p.labelId} IS NULL OR (
          SELECT true FROM issue_label WHERE issue_id = i.id AND label_id = ${p.labelId}))
        AND (NOT ${p.isWorded} OR (
          SELECT words @@ ${wordsQuery(p, 'issue')} FROM search_entry
          WHERE entity_id = i.id AND kind = 'issue'))
        AND ${isBehind(sort, p)}`;
      const ofStatus = (status: string) =>
        where(`i.status = '${status}' AND '${status}' = ANY (${p.statuses})`);
      return mergedPage(
        sort,
        ofFew
          ? [where(`i.id = ANY (${p.ids}) AND i.status = ANY (${p.statuses})`)]
          : ISSUE_STATUSES.map(ofStatus),
        p.take,
      );
    },
  });
}
