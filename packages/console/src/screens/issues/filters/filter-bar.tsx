import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { t, word } from '../../../i18n';
import { useIsNarrow } from '../../../ui/browser/use-is-narrow';
import { Button } from '../../../ui/button';
import { Choose } from '../../../ui/choices/choose';
import { Tabs } from '../../../ui/page';
import { useTypedText } from '../../../ui/use-typed-text';
import { useIssueSearch } from '../use-issue-search';
import { AssigneeFilter, GoalFilter, LabelFilter, ProjectFilter, StatusFilter } from './filters';
import {
  GROUPINGS,
  groupingOf,
  hasFilters,
  isBoard,
  type Search,
  SORTS,
  sortOf,
} from './issue-filters';
import { SavedViews } from './saved-views';

export function FilterBar() {
  const { search } = useIssueSearch();
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(false);
  const tabTo = (view: string | undefined) =>
    ({
      from: '/$company/issues',
      to: '.',
      search: (now: Search) => ({ ...now, view }) as never,
    }) as const;
  return (
    <>
      <Tabs
        tabs={[
          { link: tabTo(undefined), label: t('issues.open') },
          { link: tabTo('all'), label: t('issues.all') },
          { link: tabTo('board'), label: t('issues.board') },
        ]}
      />
      {isNarrow ? (
        <Button icon={SlidersHorizontal} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(hasFilters(search) ? 'issues.filtered' : 'issues.filter')}
        </Button>
      ) : (
        <span aria-hidden className="mx-1 h-5 border-l border-line" />
      )}
      {(!isNarrow || isOpen) && <Filters />}
      <span className="flex-1" />
      {(!isNarrow || isOpen) && (
        <>
          {!isBoard(search) && <GroupChoice />}
          <SortChoice />
        </>
      )}
      <SavedViews />
    </>
  );
}

function Filters() {
  const { search, clear } = useIssueSearch();
  return (
    <>
      <TextFilter />
      <StatusFilter />
      <AssigneeFilter />
      <ProjectFilter />
      <LabelFilter />
      <GoalFilter />
      {hasFilters(search) && (
        <Button tone="quiet" onClick={clear} aria-label={t('issues.clearFilters')}>
          {t('issues.clear')}
        </Button>
      )}
    </>
  );
}

function SortChoice() {
  const { search, change } = useIssueSearch();
  const sort = sortOf(search);
  return (
    <Choose
      label={t('issues.sort')}
      align="end"
      trigger={t('issues.sortBy', { by: word('issueSort', sort) })}
      choices={SORTS.map((value) => ({ value, label: word('issueSort', value) }))}
      value={sort}
      onChoose={(next) => change({ sort: next === 'priority' ? undefined : next })}
    />
  );
}

function GroupChoice() {
  const { search, change } = useIssueSearch();
  const grouping = groupingOf(search);
  return (
    <Choose
      label={t('issues.group')}
      align="end"
      trigger={
        grouping === 'none'
          ? t('issues.group')
          : t('issues.groupBy', { by: word('issueGroup', grouping) })
      }
      choices={GROUPINGS.map((value) => ({ value, label: word('issueGroup', value) }))}
      value={grouping}
      onChoose={(next) => change({ group: next === 'none' ? undefined : next })}
    />
  );
}

function TextFilter() {
  const { search, change } = useIssueSearch();
  const [typed, setTyped] = useTypedText(search.q ?? '', (q) =>
    change({ q: q || undefined }, { replace: true }),
  );
  return (
    <input
      type="search"
      aria-label={t('issues.find')}
      placeholder={t('issues.find')}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      className="min-h-7 w-32 rounded-md border border-line-strong bg-surface px-2 text-sm max-md:min-h-9 max-md:w-full"
    />
  );
}
