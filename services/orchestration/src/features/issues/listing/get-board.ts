import { askAfresh } from '@switchyard/db';
import type { IssueBoardQuery, IssueBoardView, IssueStatus } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { encodeCursor } from '../../../lists/page';
import type { ListedIssueRow } from '../listed-issue-facts';
import { presentIssue } from '../present-issue';
import { markOfList, withNamedPerson } from './choice';
import { countByStatus } from './count-issues';
import { ORDERS, startOf } from './issue-order';
import { boardListing } from './narrowed-listing';
import { narrowingOf, statusesOf } from './narrowing';
import { type Sought, seekIssues } from './sought-issues';

export async function getIssueBoard(call: Call, asked: IssueBoardQuery): Promise<IssueBoardView> {
  const query = withNamedPerson(call, asked);
  const { sort: _, limit: __, ...filters } = query;
  const sought = await seekIssues(call, query);
  const [rows, counts] = await Promise.all([
    readPages(call, query, sought),
    countByStatus(call, filters, sought),
  ]);
  const columns = statusesOf(query).map((status) => {
    const found = rows.filter((row) => row.status === status);
    const total = Math.max(counts[status] ?? 0, found.length);
    return { status, total, ...columnOf(found, query, status) };
  });
  return { columns };
}

async function readPages(
  { companyId, db }: Call,
  query: IssueBoardQuery,
  sought: Sought | null,
): Promise<ListedIssueRow[]> {
  if (!sought) return [];
  const { sort, limit } = query;
  return askAfresh(db, boardListing(sort, sought.ids !== null), {
    companyId,
    ...startOf(sort, null),
    take: limit + 1,
    ...narrowingOf(query, sought),
    ids: sought.ids ?? [],
  });
}

function columnOf(found: ListedIssueRow[], query: IssueBoardQuery, status: IssueStatus) {
  const { sort, limit } = query;
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const mark = markOfList({ ...query, status: [status] });
  const isMore = found.length > limit && last !== undefined;
  const nextCursor = isMore ? encodeCursor([...ORDERS[sort].valuesOf(last), mark]) : null;
  return { issues: rows.map(presentIssue), nextCursor };
}
