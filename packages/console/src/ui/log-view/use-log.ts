import { useCallback, useEffect, useRef, useState } from 'react';
import {
  appended,
  EMPTY_WINDOW,
  type LogWindow,
  prepended,
  windowFrom,
  windowTo,
} from './log-window';
import { readLog } from './read-log';

interface Log {
  window: LogWindow;
  error: unknown;
  isReading: boolean;
  readBefore: () => void;
  readAfter: () => void;
  /** Begins anew at a byte, or so that the end is seen. */
  jump: (to: number | 'end') => void;
}

/** A part of a run's log, read in pieces as they are needed; `size` is how long the log is by now. */
export function useLog(runId: string, size: number, isFollowing: boolean): Log {
  const [window, setWindow] = useState(EMPTY_WINDOW);
  const [error, setError] = useState<unknown>();
  const [isReading, setReading] = useState(false);
  const state = useRef({ window, aborted: new AbortController(), isBusy: false });

  const show = useCallback((next: LogWindow) => {
    state.current.window = next;
    setWindow(next);
  }, []);

  /** One read at a time: each continues what the one before has brought. */
  const read = useCallback(
    async (from: number, to: number, put: typeof appended) => {
      if (state.current.isBusy || to <= from) return;
      state.current.isBusy = true;
      setReading(true);
      const { signal } = state.current.aborted;
      try {
        const part = await readLog(runId, from, to, signal);
        if (!signal.aborted && part.to > part.from) show(put(state.current.window, part));
        if (!signal.aborted) setError(undefined);
      } catch (failure) {
        if (!signal.aborted) setError(failure);
      } finally {
        if (!signal.aborted) {
          state.current.isBusy = false;
          setReading(false);
        }
      }
    },
    [runId, show],
  );

  const readAfter = useCallback(() => {
    const from = windowTo(state.current.window);
    void read(from, Math.min(size, from + PART), appended);
  }, [read, size]);
  const readBefore = useCallback(() => {
    const to = windowFrom(state.current.window);
    void read(Math.max(0, to - PART), to, prepended);
  }, [read]);
  const jump = useCallback(
    (to: number | 'end') => {
      state.current.aborted.abort();
      state.current = { window: EMPTY_WINDOW, aborted: new AbortController(), isBusy: false };
      const from = Math.max(0, to === 'end' ? size - PART : to);
      void read(from, Math.min(size, from + PART), (_window, part) => appended(EMPTY_WINDOW, part));
    },
    [read, size],
  );

  const isEmpty = window.parts.length === 0;
  useEffect(() => {
    if (size > 0 && isEmpty && !isReading && !error) jump(isFollowing ? 'end' : 0);
  }, [size, isEmpty, isReading, isFollowing, error, jump]);
  // What a live run has written meanwhile; each piece that arrives asks for the next one.
  const at = windowTo(window);
  useEffect(() => {
    if (!isFollowing || isEmpty || isReading || error || at >= size) return;
    if (size - at > FAR_BEHIND) jump('end');
    else readAfter();
  }, [isFollowing, isEmpty, isReading, error, at, size, jump, readAfter]);
  useEffect(() => () => state.current.aborted.abort(), []);
  return { window, error, isReading, readBefore, readAfter, jump };
}

/** Bytes of a read: a few screens, fast on a slow connection. */
const PART = 131_072;
/** Bytes of which nobody would read what flies past. */
const FAR_BEHIND = 1_048_576;
