import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { t } from '../../i18n';
import { classNames } from '../class-names';
import { parseLines, type Span } from './ansi';
import type { LogWindow } from './log-window';
import type { Log } from './use-log';

interface LogRowsProps {
  window: LogWindow;
  landing: Log['landing'];
  isWrapped: boolean;
  isFollowing: boolean;
  text: string;
  found: number | undefined;
  onStart: (() => void) | undefined;
  onEnd: (() => void) | undefined;
  onFollow: ((follows: boolean) => void) | undefined;
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
  const landed = useRef(props.landing);
  useEffect(() => {
    if (landed.current === props.landing || rows.length === 0) return;
    landed.current = props.landing;
    if (props.landing.at === 'end') virtual.scrollToIndex(rows.length - 1, { align: 'end' });
    else virtual.scrollToIndex(0);
  });
  const shown = useRef<number>(undefined);
  useEffect(() => {
    if (found === shown.current) return;
    shown.current = found;
    if (found !== undefined) virtual.scrollToIndex(found - firstRow, { align: 'center' });
  });
  const onScroll = () => {
    const element = scroller.current;
    if (!element || rows.length === 0) return;
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (element.scrollTop < NEAR) props.onStart?.();
    if (below < NEAR && !isFollowing) props.onEnd?.();
    if (isFollowing && below > ROW * 4) props.onFollow?.(false);
    else if (!isFollowing && below < 2 && !props.onEnd) props.onFollow?.(true);
  };
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
            {spans[index - start]?.map((span, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change their order
              <Piece key={at} span={span} text={text} />
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}

const ROW = 18;
/** Distance in pixels from either end at which more rows are read. */
const NEAR = 600;

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
