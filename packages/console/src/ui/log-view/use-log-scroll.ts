import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useRef } from 'react';
import type { Log } from './use-log';

export interface LogScroll {
  landing: Log['landing'];
  isFollowing: boolean;
  onStart: (() => void) | undefined;
  onEnd: (() => void) | undefined;
  onFollow: ((follows: boolean) => void) | undefined;
}

export function useLogScroll(
  virtual: Virtualizer<HTMLDivElement, Element>,
  scroller: RefObject<HTMLDivElement | null>,
  found: number | undefined,
  { landing, isFollowing, onStart, onEnd, onFollow }: LogScroll,
): () => void {
  const { count } = virtual.options;
  const landed = useRef<Log['landing']>(undefined);
  useEffect(() => {
    if (landed.current === landing || count === 0) return;
    landed.current = landing;
    if (landing.at === 'end') virtual.scrollToIndex(count - 1, { align: 'end' });
    else virtual.scrollToIndex(0);
  });
  const shown = useRef<number>(undefined);
  useEffect(() => {
    if (found === shown.current) return;
    shown.current = found;
    if (found !== undefined) virtual.scrollToIndex(found, { align: 'center' });
  });
  const top = useRef(0);
  return () => {
    const element = scroller.current;
    if (!element || count === 0) return;
    const isUp = element.scrollTop < top.current;
    top.current = element.scrollTop;
    const below = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (element.scrollTop < READ_AHEAD_PX) onStart?.();
    if (below < READ_AHEAD_PX && !isFollowing) onEnd?.();
    if (isFollowing && isUp && below > LEFT_END_PX) onFollow?.(false);
    else if (!isFollowing && below < 2 && !onEnd) onFollow?.(true);
  };
}

const READ_AHEAD_PX = 600;
const LEFT_END_PX = 72;
