import { useCallback, useMemo, useRef, useState } from 'react';
import { type IssueStatus, moveFor } from '../../../data/issue-moves';
import { refusalOf, useMoveIssue } from '../../../data/issue-writes';
import { useMayWrite } from '../../../data/rights';
import { t } from '../../../i18n';
import { useKeys } from '../../../ui/browser/keys';
import { Loading, Skeleton } from '../../../ui/states';
import { showToast } from '../../../ui/toast';
import { type EditedField, type ListedIssue, useEditKeys } from '../edit-keys';
import { NoIssues } from '../no-issues';
import { useIssueSearch } from '../use-issue-search';
import { BoardColumn } from './board-column';
import type { Column } from './columns';
import { FoldedColumn } from './folded-column';
import { useBoard } from './use-board';

export function Board() {
  const board = useBoard();
  return (
    <Loading of={board} skeleton={<Skeleton rows={8} height={100} />}>
      {(columns) =>
        columns.every(({ total }) => total === 0) ? (
          <NoIssues />
        ) : (
          <Columns columns={columns} onMore={board.readMore} />
        )
      }
    </Loading>
  );
}

interface Place {
  status: IssueStatus;
  index: number;
}

function Columns({
  columns,
  onMore,
}: {
  columns: readonly Column[];
  onMore: (status: IssueStatus) => void;
}) {
  const mayWrite = useMayWrite();
  const move = useMoveIssue();
  const folded = useFolded();
  const [marked, setMarked] = useState<string>();
  const [focused, setFocused] = useState<Place>();
  const [dragged, setDragged] = useState<ListedIssue>();
  const place = marked === undefined ? undefined : placeOf(columns, marked);
  const { begin, dialog } = useEditKeys(place?.issue ? [place.issue] : []);
  const onEdit = useStable((issue: ListedIssue, field: EditedField) => begin(issue, field));
  const onDrag = useStable((issue: ListedIssue | undefined) => setDragged(issue));
  const onMark = useStable((issue: ListedIssue) => setMarked(issue.id));
  const shown = columns.filter(({ status, total }) => total > 0 && !folded.has(status));
  const step = (across: number, down: number) => () => {
    const at = shown.findIndex(({ status }) => status === place?.status);
    const column = shown[Math.max(0, Math.min(shown.length - 1, at + across))];
    if (!column) return;
    const from = at === -1 ? 0 : (place?.index ?? 0) + down;
    const index = Math.max(0, Math.min(column.issues.length - 1, from));
    setMarked(column.issues[index]?.id);
    setFocused({ status: column.status, index });
  };
  useKeys([
    { keys: 'j', label: 'key.next', run: step(0, 1) },
    { keys: 'k', label: 'key.previous', run: step(0, -1) },
    { keys: 'h', label: 'issues.key.left', run: step(-1, 0) },
    { keys: 'l', label: 'issues.key.right', run: step(1, 0) },
  ]);
  const onDrop = (to: IssueStatus) => {
    setDragged(undefined);
    if (!dragged || dragged.status === to) return;
    if (moveFor(dragged.status, to)) move.mutate({ issue: dragged, to });
    else showToast({ tone: 'bad', text: refusalOf(dragged.status, to) });
  };
  const dropOf = (status: IssueStatus) => {
    if (!dragged || dragged.status === status) return 'none';
    return moveFor(dragged.status, status) ? 'allowed' : 'refused';
  };
  return (
    <>
      <section
        aria-label={t('issues.board')}
        className="flex h-full gap-2 overflow-x-auto px-4 py-3 scroll-px-4 max-md:snap-x"
      >
        {columns.map((column) => {
          const { status } = column;
          const common = { column, drop: dropOf(status), onDrop: () => onDrop(status) } as const;
          return column.total === 0 || folded.has(status) ? (
            <FoldedColumn key={status} {...common} onUnfold={() => folded.toggle(status)} />
          ) : (
            <BoardColumn
              key={status}
              {...common}
              isMovable={mayWrite}
              focused={focused?.status === status ? focused : undefined}
              onFold={() => folded.toggle(status)}
              onMore={onMore}
              onMark={onMark}
              onEdit={onEdit}
              onDrag={onDrag}
            />
          );
        })}
      </section>
      {dialog}
    </>
  );
}

function placeOf(columns: readonly Column[], id: string) {
  for (const { status, issues } of columns) {
    const index = issues.findIndex((issue) => issue.id === id);
    if (index !== -1) return { status, index, issue: issues[index] };
  }
  return undefined;
}

function useFolded() {
  const { search, change } = useIssueSearch();
  const text = search.folded ?? 'done,cancelled';
  return useMemo(() => {
    const statuses = new Set(text.split(',').filter((each) => each !== ''));
    return {
      has: (status: string) => statuses.has(status),
      toggle: (status: string) => {
        const next = statuses.has(status)
          ? [...statuses].filter((each) => each !== status)
          : [...statuses, status];
        change({ folded: next.join(',') || 'none' }, { replace: true });
      },
    };
  }, [text, change]);
}

function useStable<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  latest.current = run;
  return useCallback((...args: Args) => latest.current(...args), []);
}
