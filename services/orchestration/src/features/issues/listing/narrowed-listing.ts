import { statement } from '@switchyard/db';
import { ISSUE_SORTS, type IssueSort } from '@switchyard/types';
import { LISTED_ISSUE } from '../listed-issue-facts';
import { columnPages, isBehind, mergedPage, pageOfStatuses, startTakes } from './issue-order';
import { isChosen, NARROWING } from './narrowing';

export type NarrowedListing = ReturnType<typeof declareNarrowed>;

export function narrowedListing(sort: IssueSort, ofFew: boolean): NarrowedListing {
  return (ofFew ? LISTS_OF_FEW : LISTS_OF_ALL)[sort];
}

export function boardListing(sort: IssueSort, ofFew: boolean): NarrowedListing {
  return (ofFew ? BOARDS_OF_FEW : BOARDS_OF_ALL)[sort];
}

const declareAll = (ofFew: boolean, isBoard: boolean) =>
  Object.fromEntries(
    ISSUE_SORTS.map((sort) => [sort, declareNarrowed(sort, ofFew, isBoard)]),
  ) as Record<IssueSort, NarrowedListing>;

/**
 * PostgreSQL plans this statement per request, so that it ignores filters that are not set, and can
 * choose between sorting the matches and scanning in order. Reads each status separately, because
 * an index has the order of the list only within one status.
 */
const [LISTS_OF_ALL, LISTS_OF_FEW] = [declareAll(false, false), declareAll(true, false)];
const [BOARDS_OF_ALL, BOARDS_OF_FEW] = [declareAll(false, true), declareAll(true, true)];

function declareNarrowed(sort: IssueSort, ofFew: boolean, isBoard: boolean) {
  const takes = {
    companyId: 'uuid',
    ...startTakes(sort),
    take: 'int',
    ...NARROWING,
    ...((ofFew && { ids: 'uuid[]' }) as { ids: 'uuid[]' }),
  } as const;
  const name = `${isBoard ? 'board-of' : 'list'}-${ofFew ? 'few' : 'narrowed'}-issues-by-${sort}`;
  return statement(name, {
    takes,
    gives: LISTED_ISSUE,
    sql: (p) => {
      const fits = `${isChosen(p)} AND ${isBehind(sort, p)}`;
      if (ofFew && !isBoard) {
        const where = `${fits} AND i.id = ANY (${p.ids}) AND i.status = ANY (${p.statuses})`;
        return mergedPage(sort, [where], p.take);
      }
      const few = ofFew ? `AND i.id = ANY (${p.ids})` : '';
      const pages = isBoard ? columnPages : pageOfStatuses;
      return pages(sort, p.statuses, `i.status = asked.status AND ${fits} ${few}`, p.take);
    },
  });
}
