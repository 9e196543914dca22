import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronsLeftRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { IssueStatus } from '../../../data/issue-moves';
import { t, word } from '../../../i18n';
import { formatCount } from '../../../i18n/formats';
import { IconButton } from '../../../ui/button';
import { StatusMark } from '../../../ui/marks';
import type { EditedField, ListedIssue } from '../edit-keys';
import { Card } from './card';
import type { Column } from './columns';
import { DropZone } from './drop-zone';

interface BoardColumnProps {
  column: Column;
  drop: 'none' | 'allowed' | 'refused';
  isMovable: boolean;
  focused: { index: number } | undefined;
  onDrop: () => void;
  onFold: () => void;
  onMore: (status: IssueStatus) => void;
  onMark: (issue: ListedIssue) => void;
  onEdit: (issue: ListedIssue, field: EditedField) => void;
  onDrag: (issue: ListedIssue | undefined) => void;
}

export function BoardColumn(props: BoardColumnProps) {
  const { column, drop, isMovable, focused, onDrop, onFold, onMore, onMark, onEdit, onDrag } =
    props;
  const { status, total, issues } = column;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: issues.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_HEIGHT,
    overscan: 4,
    getItemKey: (index) => issues[index]?.id ?? index,
  });
  const seen = virtual.getVirtualItems();
  const last = seen.at(-1)?.index ?? 0;
  useEffect(() => {
    if (issues.length < total && last >= issues.length - NEAR_THE_END) onMore(status);
  }, [last, issues.length, total, status, onMore]);
  useEffect(() => {
    if (!focused) return;
    virtual.scrollToIndex(focused.index, { align: 'auto' });
    const frame = requestAnimationFrame(() =>
      scroller.current
        ?.querySelector<HTMLElement>(`[data-index="${focused.index}"] a`)
        ?.focus({ preventScroll: true }),
    );
    return () => cancelAnimationFrame(frame);
  }, [focused, virtual]);
  const label = word('issueStatus', status);
  return (
    <DropZone
      drop={drop}
      onDrop={onDrop}
      className="flex min-w-52 flex-1 basis-52 flex-col max-md:min-w-[82vw] max-md:snap-start"
    >
      <header className="flex h-9 shrink-0 items-center gap-2 pr-1 pl-3 text-sm">
        <StatusMark of="issue" status={status} />
        <h2 className="truncate font-semibold">{label}</h2>
        <span className="text-muted">{formatCount(total)}</span>
        <span className="flex-1" />
        <IconButton
          icon={ChevronsLeftRight}
          label={t('issues.fold', { status: label })}
          onClick={onFold}
        />
      </header>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-1.5">
        <ul aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
          {seen.map(({ index, key, start }) => {
            const issue = issues[index];
            return (
              issue && (
                <li
                  key={key}
                  data-index={index}
                  aria-setsize={total}
                  aria-posinset={index + 1}
                  className="absolute inset-x-0 pb-1.5"
                  style={{ height: CARD_HEIGHT, transform: `translateY(${start}px)` }}
                >
                  <Card
                    issue={issue}
                    isMovable={isMovable}
                    onMark={onMark}
                    onEdit={onEdit}
                    onDrag={onDrag}
                  />
                </li>
              )
            );
          })}
        </ul>
      </div>
    </DropZone>
  );
}

const CARD_HEIGHT = 110;
const NEAR_THE_END = 12;
