import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useCompany } from '../../../data/company';
import { usePages } from '../../../data/read';
import { t } from '../../../i18n';
import { useIsNarrow } from '../../../ui/browser/use-is-narrow';
import { Rows } from '../../../ui/rows';
import { Loading, Skeleton } from '../../../ui/states';
import { type ListedIssue, useEditKeys } from '../edit-keys';
import { groupingOf, listFiltersOf, sortOf } from '../filters/issue-filters';
import { NoIssues } from '../no-issues';
import { useIssueSearch } from '../use-issue-search';
import { GroupRow } from './group-row';
import { grouped, type ListRow } from './grouped';
import { IssueRow } from './issue-row';
import { useGroupNames } from './use-group-names';

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
