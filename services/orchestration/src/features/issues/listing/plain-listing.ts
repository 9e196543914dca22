import { statement } from '@switchyard/db';
import { ISSUE_STATUSES, type IssueSort } from '@switchyard/types';
import { unseen } from '../../../lists/unseen';
import { LISTED_ISSUE } from '../listed-issue-facts';
import { isBehind, mergedPage, startTakes } from './issue-order';

export type Listing = ReturnType<typeof declareListing>;

export function plainListing(
  sort: IssueSort,
  statuses: number,
  by: { assignee: boolean; project: boolean },
): Listing {
  return LISTINGS[nameOf(sort, statuses, by.assignee, by.project)] as Listing;
}

/**
 * Merges one SELECT per status until the page is full, because an index has the order of the list
 * only within one status. `ANY` would sort every match.
 */
const LISTINGS: Readonly<Record<string, Listing>> = Object.fromEntries(
  Array.from({ length: ISSUE_STATUSES.length + 1 }, (_, statuses) => [
    ...[false, true].flatMap((assignee) =>
      [false, true].map((project) => declareListing('priority', statuses, assignee, project)),
    ),
    ...(['updated', 'created', 'due'] as const)
      .filter(() => statuses > 0)
      .map((sort) => declareListing(sort, statuses, false, false)),
  ])
    .flat()
    .map((listing) => [listing.name, listing]),
);

function nameOf(sort: IssueSort, statuses: number, byAssignee: boolean, byProject: boolean) {
  const order = sort === 'priority' ? '' : `-by-${sort}`;
  const filters = `${byAssignee ? '-assignee' : ''}${byProject ? '-project' : ''}`;
  return `list-issues${order}-${statuses}${filters}`;
}

function declareListing(
  sort: IssueSort,
  statuses: number,
  byAssignee: boolean,
  byProject: boolean,
) {
  const takes = {
    companyId: 'uuid',
    ...startTakes(sort),
    take: 'int',
    ...((statuses > 0 && { statuses: 'text[]' }) as { statuses: 'text[]' }),
    ...((byAssignee && { assigneeAgentId: 'uuid?' }) as { assigneeAgentId: 'uuid?' }),
    ...((byProject && { projectId: 'uuid?' }) as { projectId: 'uuid?' }),
  } as const;
  return statement(nameOf(sort, statuses, byAssignee, byProject), {
    takes,
    gives: LISTED_ISSUE,
    sql: (p) => {
      // The choice of the best index depends only on the values of assignee and project.
      const bound = byAssignee || byProject ? String : unseen;
      const take = bound(p.take);
      const where = (status: string) => `i.company_id = ${p.companyId}${status}
        ${byAssignee ? `AND i.assignee_agent_id = ${p.assigneeAgentId}` : ''}
        ${byProject ? `AND i.project_id = ${p.projectId}` : ''}
        AND ${isBehind(sort, p, bound)}`;
      const wheres = Array.from({ length: statuses }, (_, at) =>
        where(` AND i.status = ${bound(`(${p.statuses})[${at + 1}]`)}`),
      );
      return mergedPage(sort, statuses > 0 ? wheres : [where('')], take);
    },
  });
}
