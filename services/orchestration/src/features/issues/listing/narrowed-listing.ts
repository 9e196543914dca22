import { statement } from '@switchyard/db';
import { ISSUE_SORTS, ISSUE_STATUSES, type IssueSort } from '@switchyard/types';
import { LISTED_ISSUE } from '../listed-issue-facts';
import { columnPages, isBehind, mergedPage, startTakes } from './issue-order';
import { isChosen, NARROWING } from './narrowing';

export type NarrowedListing = ReturnType<typeof declareNarrowed>;

/** The statement of a list with any filters, of few issues that are known or of all; filters that are not given are null. */
export function narrowedListing(sort: IssueSort, ofFew: boolean): NarrowedListing {
  return (ofFew ? LISTS_OF_FEW : LISTS_OF_ALL)[sort];
}

/** The same for a page of each status, one after the other. */
export function boardListing(sort: IssueSort, ofFew: boolean): NarrowedListing {
  return (ofFew ? BOARDS_OF_FEW : BOARDS_OF_ALL)[sort];
}

const declareAll = (ofFew: boolean, isBoard: boolean) =>
  Object.fromEntries(
    ISSUE_SORTS.map((sort) => [sort, declareNarrowed(sort, ofFew, isBoard)]),
  ) as Record<IssueSort, NarrowedListing>;

/**
 * Asked afresh, so that PostgreSQL leaves out statuses and filters that are not asked for, and decides by what it knows of
 * the values whether to read what fits and sort it, or to read in the order of the list until the page is full.
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
      const where = (which: string) => `${isChosen(p)} AND ${which} AND ${isBehind(sort, p)}`;
      const few = ofFew ? `AND i.id = ANY (${p.ids})` : '';
      const ofEach = ISSUE_STATUSES.map((status) =>
        where(`i.status = '${status}' AND '${status}' = ANY (${p.statuses}) ${few}`),
      );
      if (isBoard) return columnPages(sort, ofEach, p.take);
      const ofAny = [where(`i.id = ANY (${p.ids}) AND i.status = ANY (${p.statuses})`)];
      return mergedPage(sort, ofFew ? ofAny : ofEach, p.take);
    },
  });
}
