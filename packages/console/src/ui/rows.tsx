import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useKeys } from './browser/keys';

export interface RowsProps<Row> {
  rows: readonly Row[];
  idOf: (row: Row) => string;
  height: number;
  label: string;
  render: (row: Row, isMarked: boolean) => ReactNode;
  onOpen?: (row: Row) => void;
  onEnd?: () => void;
  onMark?: (row: Row | undefined) => void;
}

export function Rows<Row>({
  rows,
  idOf,
  height,
  label,
  render,
  onOpen,
  onEnd,
  onMark,
}: RowsProps<Row>) {
  const parent = useRef<HTMLUListElement>(null);
  const [marked, setMarked] = useState<{ id: string; index: number }>();
  const at = marked ? placeOf(rows, idOf, marked) : -1;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => parent.current?.closest<HTMLElement>('[data-scroller]') ?? null,
    estimateSize: () => height,
    overscan: 12,
    getItemKey: (index) => idOf(rows[index] as Row),
    scrollMargin: parent.current?.offsetTop ?? 0,
  });
  const seen = virtual.getVirtualItems();
  const last = seen.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - NEAR_THE_END) onEnd?.();
  }, [last, rows.length, onEnd]);
  const [focused, setFocused] = useState<number>();
  useEffect(() => {
    if (focused === undefined) return;
    const row = parent.current?.querySelector<HTMLElement>(`[aria-posinset="${focused + 1}"]`);
    row?.focus({ preventScroll: true });
  }, [focused]);
  const markedRow = rows[at];
  const report = useEffectEvent((row: Row | undefined) => onMark?.(row));
  useEffect(() => report(markedRow), [markedRow]);
  const mark = (next: number) => {
    const bounded = Math.max(0, Math.min(rows.length - 1, next));
    const row = rows[bounded];
    if (!row) return;
    setMarked({ id: idOf(row), index: bounded });
    onMark?.(row);
    virtual.scrollToIndex(bounded, { align: 'auto' });
    setFocused(bounded);
  };
  useKeys([
    { keys: 'j', label: 'key.next', run: () => mark(at + 1) },
    { keys: 'k', label: 'key.previous', run: () => mark(at - 1) },
    {
      keys: 'Enter',
      label: 'key.open',
      run: (event) => {
        const row = rows[at];
        const isControl = (event.target as HTMLElement).closest('a, button');
        if (isControl) (isControl as HTMLElement).click();
        else if (row) onOpen?.(row);
      },
    },
  ]);
  return (
    <ul
      ref={parent}
      aria-label={label}
      className="relative"
      style={{ height: virtual.getTotalSize() }}
    >
      {seen.map(({ index, key, start }) => (
        <li
          key={key}
          aria-setsize={rows.length}
          aria-posinset={index + 1}
          aria-current={index === at || undefined}
          tabIndex={-1}
          className="absolute inset-x-0 border-b border-line bg-surface outline-none hover:bg-hover aria-[current]:bg-selected"
          style={{ height, transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
        >
          {render(rows[index] as Row, index === at)}
        </li>
      ))}
    </ul>
  );
}

const NEAR_THE_END = 20;

function placeOf<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  { id, index }: { id: string; index: number },
): number {
  if (rows[index] && idOf(rows[index]) === id) return index;
  const now = rows.findIndex((row) => idOf(row) === id);
  return now === -1 ? Math.min(index, rows.length - 1) : now;
}
