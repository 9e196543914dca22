import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../i18n';
import { classNames } from '../../class-names';
import { type LogWindow, linesOf, windowFrom } from '../log-window';
import { type LogScroll, useLogScroll } from '../use-log-scroll';
import { PartView } from './part-view';
import { readTranscript } from './read-transcript';

interface TranscriptProps extends LogScroll {
  window: LogWindow;
  isLive: boolean;
  text: string;
  found: number | undefined;
}

export function Transcript(props: TranscriptProps) {
  const { window, isLive, isFollowing, text, found } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const parts = useMemo(() => readTranscript(linesOf(window), windowFrom(window) > 0), [window]);
  const virtual = useVirtualizer({
    count: parts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    overscan: 10,
    getItemKey: (index) => parts[index]?.row ?? index,
    anchorTo: 'end',
    scrollEndThreshold: -1,
  });
  const foundAt = found === undefined ? -1 : parts.findLastIndex(({ row }) => row <= found);
  const onScroll = useLogScroll(virtual, scroller, foundAt === -1 ? undefined : foundAt, props);
  const isStuck = useRef(true);
  useLayoutEffect(() => {
    isStuck.current = isFollowing;
  }, [isFollowing]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (isStuck.current && element) element.scrollTop = element.scrollHeight;
  });
  const toggle = (row: number) => {
    isStuck.current = false;
    setToggled((before) => {
      const after = new Set(before);
      if (!after.delete(row)) after.add(row);
      return after;
    });
  };
  return (
    <div ref={scroller} onScroll={onScroll} className="min-h-0 flex-1 overflow-auto">
      <ul
        aria-label={t('transcript.title')}
        className="relative"
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const part = parts[index];
          if (!part) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={parts.length}
              aria-posinset={index + 1}
              className={classNames(
                'absolute inset-x-0 top-0 px-3 text-sm',
                index === foundAt && 'bg-selected',
              )}
              style={{ transform: `translateY(${start}px)` }}
            >
              <PartView
                part={part}
                isOpen={toggled.has(part.row) !== (index === foundAt)}
                isLive={isLive}
                text={text}
                onToggle={() => toggle(part.row)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const HEIGHT = 32;
