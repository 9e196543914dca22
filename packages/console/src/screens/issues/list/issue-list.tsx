import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useCompany } from '../../../data/company';
import { useProjects } from '../../../data/directory';
import { usePages } from '../../../data/read';
import { useMayWrite } from '../../../data/rights';
import { t, word } from '../../../i18n';
import { useKeys } from '../../../ui/browser/keys';
import { useIsNarrow } from '../../../ui/browser/use-is-narrow';
import { Button } from '../../../ui/button';
import { useSelection } from '../../../ui/choices/use-selection';
import { Head, type Heads } from '../../../ui/list-screen';
import { Avatar, PriorityMark, StatusMark } from '../../../ui/marks';
import { Rows } from '../../../ui/rows';
import { Loading, Skeleton } from '../../../ui/states';
import { type EditedField, type ListedIssue, useEditKeys } from '../edit-keys';
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
  const selection = useSelection();
  const selected = pages.items?.filter((issue) => selection.ids.has(issue.id)) ?? [];
  const edit = useEditKeys(selected.length > 0 ? selected : present ? [present] : []);
  const mayWrite = useMayWrite();
  useKeys(
    mayWrite
      ? [
          {
            keys: 'x',
            label: 'runs.key.mark',
            run: () => present && selection.toggle(present.id),
          },
          {
            keys: 'Shift+X',
            label: 'runs.key.markTo',
            run: () => present && selection.extendTo(present.id, issueIdsOf(rows ?? [])),
          },
          { keys: 'Escape', label: 'runs.unmark', run: selection.clear },
        ]
      : [],
  );
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
            <>
              <Head heads={heads(mayWrite)} gap="gap-2" />
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
                    <IssueRow
                      issue={row.issue}
                      onEdit={edit.begin}
                      isSelected={selection.ids.has(row.issue.id)}
                      onSelect={mayWrite ? selection.toggle : undefined}
                    />
                  )
                }
              />
            </>
          )
        }
      </Loading>
      {selected.length > 0 && (
        <BulkBar count={selected.length} onEdit={edit.edit} onClear={selection.clear} />
      )}
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

const issueIdsOf = (rows: readonly ListRow[]): string[] =>
  rows.flatMap((row) => (row.kind === 'issue' ? row.issue.id : []));

const heads = (isSelectable: boolean): Heads => [
  ...(isSelectable ? ([['', 'w-4']] as const) : []),
  ['', 'w-6'],
  [t('issues.head.key'), 'w-18'],
  ['', 'w-6'],
  [t('issue.title'), 'flex-1'],
  [t('issue.assignee'), 'w-36'],
  [t('issues.head.activity'), 'w-20 text-right'],
];

interface BulkBarProps {
  count: number;
  onEdit: (field: EditedField) => void;
  onClear: () => void;
}

const BulkBar = ({ count, onEdit, onClear }: BulkBarProps) => (
  <section
    aria-label={t('issues.selected', { count })}
    className="sticky bottom-4 z-20 mx-auto my-4 flex w-fit max-w-full flex-wrap items-center gap-1.5 rounded-lg border border-line-strong bg-raised px-3 py-2 shadow-raised"
  >
    <span role="status" className="mr-2 text-sm">
      {t('issues.selected', { count })}
    </span>
    <Button shortcut="s" onClick={() => onEdit('status')}>
      {t('issue.status')}
    </Button>
    <Button shortcut="p" onClick={() => onEdit('priority')}>
      {t('issue.priority')}
    </Button>
    <Button shortcut="a" onClick={() => onEdit('assignee')}>
      {t('issue.assignee')}
    </Button>
    <Button onClick={() => onEdit('label')}>{t('issue.addLabel')}</Button>
    <Button tone="quiet" onClick={onClear}>
      {t('runs.unmark')}
    </Button>
  </section>
);
