import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useCompany } from '../../../data/company';
import { useProjects } from '../../../data/directory';
import { usePages } from '../../../data/read';
import { t, word } from '../../../i18n';
import { useIsNarrow } from '../../../ui/browser/use-is-narrow';
import { Avatar, PriorityMark, StatusMark } from '../../../ui/marks';
import { Rows } from '../../../ui/rows';
import { Loading, Skeleton } from '../../../ui/states';
import { type ListedIssue, useEditKeys } from '../edit-keys';
import { type Grouping, groupingOf, listFiltersOf, sortOf } from '../filters/issue-filters';
import { NoIssues } from '../no-issues';
import { useIssueSearch } from '../use-issue-search';
import { grouped, type ListRow } from './grouped';
import { IssueRow } from './issue-row';

export function IssueList() {
  const { id, issuePrefix } = useCompany();
  const { search } = useIssueSearch();
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const grouping = groupingOf(search);
  const pages = usePages(
    '/api/companies/{companyId}/issues',
    {
      path: { companyId: id },
      query: {
        ...listFiltersOf(search),
        sort: grouping === 'priority' ? 'priority' : sortOf(search),
        limit: 100,
      },
    },
    { keepPrevious: true },
  );
  const nameOf = useGroupNames(grouping);
  const rows = useMemo(
    () => pages.items && grouped(pages.items, grouping, nameOf),
    [pages.items, grouping, nameOf],
  );
  const [marked, setMarked] = useState<ListedIssue>();
  const present = pages.items?.find((issue) => issue.id === marked?.id);
  const edit = useEditKeys(present);
  const open = (row: ListRow) =>
    row.kind === 'issue' &&
    void navigate({
      to: '/$company/issues/$issue',
      params: { company: issuePrefix, issue: row.issue.identifier },
    });
  return (
    <>
      <Loading
        of={{ ...pages, data: rows }}
        skeleton={<Skeleton rows={14} height={isNarrow ? 64 : 38} />}
      >
        {(all) =>
          all.length === 0 ? (
            <NoIssues />
          ) : (
            <Rows
              label={t('nav.issues')}
              rows={all}
              idOf={({ id: rowId }) => rowId}
              height={isNarrow ? 64 : 38}
              onOpen={open}
              onMark={(row) => setMarked(row?.kind === 'issue' ? row.issue : undefined)}
              onEnd={() => pages.hasNextPage && !pages.isFetching && void pages.fetchNextPage()}
              render={(row) =>
                row.kind === 'group' ? (
                  <GroupRow group={row} isWhole={!pages.hasNextPage} />
                ) : (
                  <IssueRow issue={row.issue} onEdit={edit.begin} />
                )
              }
            />
          )
        }
      </Loading>
      {edit.dialog}
    </>
  );
}

function GroupRow({
  group,
  isWhole,
}: {
  group: Extract<ListRow, { kind: 'group' }>;
  isWhole: boolean;
}) {
  const { grouping, value, name, shown } = group;
  return (
    <div className="flex h-full items-center gap-2 bg-sunken px-4 text-sm">
      {grouping === 'status' && <StatusMark of="issue" status={value} />}
      {grouping === 'priority' && <PriorityMark priority={value} />}
      {grouping === 'assignee' && value !== '' && <Avatar name={name} />}
      <span className="truncate font-semibold">{name}</span>
      <span className="text-muted">{isWhole ? shown : `${shown}+`}</span>
    </div>
  );
}

function useGroupNames(grouping: Grouping) {
  const { data: projects } = useProjects({ enabled: grouping === 'project' });
  return useCallback(
    (value: string, issue: ListedIssue): string => {
      if (grouping === 'status') return word('issueStatus', value);
      if (grouping === 'priority') return word('priority', value);
      if (grouping === 'assignee') return issue.assigneeName ?? t('issue.unassigned');
      return projects?.find(({ id }) => id === value)?.name ?? t('issues.noProject');
    },
    [grouping, projects],
  );
}
