import { useVirtualizer } from '@tanstack/react-virtual';
import { createElement, Fragment, useLayoutEffect, useMemo, useRef } from 'react';
import { t } from '../../i18n';
import { classNames } from '../class-names';
import { parseLines, type Span } from './ansi';
import type { LogWindow } from './log-window';
import { type LogScroll, useLogScroll } from './use-log-scroll';

interface LogRowsProps extends LogScroll {
  window: LogWindow;
  isWrapped: boolean;
  text: string;
  found: number | undefined;
}

export function LogRows(props: LogRowsProps) {
  const { window, isWrapped, isFollowing, text, found } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const { rows, firstRow } = window;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 20,
    getItemKey: (index) => firstRow + index,
  });
  const seen = virtual.getVirtualItems();
  const start = seen[0]?.index ?? 0;
  const end = seen.at(-1)?.index ?? -1;
  const spans = useSpans(rows, start, end);
  useAnchor(firstRow, scroller, isFollowing);
  const foundAt = found === undefined ? undefined : found - firstRow;
  const onScroll = useLogScroll(virtual, scroller, foundAt, props);
  return (
    <section
      ref={scroller}
      aria-label={t('log.lines')}
      onScroll={onScroll}
      className="min-h-0 flex-1 overflow-auto py-1.5 font-mono text-xs"
    >
      <div className="relative min-w-full" style={{ height: virtual.getTotalSize() }}>
        {seen.map(({ index, key, start: top }) => (
          <div
            key={key}
            ref={isWrapped ? virtual.measureElement : undefined}
            data-index={index}
            dir="ltr"
            className={classNames(
              'absolute top-0 left-0 min-w-full px-3 leading-[18px] hover:bg-hover',
              isWrapped ? 'w-full whitespace-pre-wrap [overflow-wrap:anywhere]' : 'whitespace-pre',
              found === firstRow + index && 'bg-selected',
            )}
            style={{ transform: `translateY(${top}px)`, minHeight: ROW }}
          >
            {createElement(Fragment, null, ...(spans[index - start] ?? []).map(pieceOf(text)))}
          </div>
        ))}
      </div>
    </section>
  );
}

const ROW = 18;

function useSpans(rows: readonly string[], start: number, end: number): Span[][] {
  return useMemo(() => {
    const from = Math.max(0, start - CARRIED);
    return parseLines(rows.slice(from, end + 1)).slice(start - from);
  }, [rows, start, end]);
}

const CARRIED = 200;

function useAnchor(
  firstRow: number,
  scroller: React.RefObject<HTMLDivElement | null>,
  isFollowing: boolean,
): void {
  const before = useRef(firstRow);
  useLayoutEffect(() => {
    const moved = before.current - firstRow;
    before.current = firstRow;
    const element = scroller.current;
    if (!element) return;
    if (isFollowing) element.scrollTop = element.scrollHeight;
    else if (moved !== 0) element.scrollTop += moved * ROW;
  });
}

export const pieceOf = (text: string) => (span: Span) => createElement(Piece, { span, text });

function Piece({ span, text }: { span: Span; text: string }) {
  const parts = text === '' ? [span.text] : splitAt(span.text, text);
  return (
    <span className={span.className || undefined}>
      {parts.map((part, at) =>
        at % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change their order
          <mark key={at} className="rounded-xs bg-warn-soft text-warn">
            {part}
          </mark>
        ) : (
          part
        ),
      )}
    </span>
  );
}

function splitAt(text: string, wanted: string): string[] {
  const lower = text.toLowerCase();
  const needle = wanted.toLowerCase();
  const parts: string[] = [];
  let from = 0;
  for (let at = lower.indexOf(needle); at !== -1; at = lower.indexOf(needle, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + needle.length));
    from = at + needle.length;
  }
  return [...parts, text.slice(from)];
}
