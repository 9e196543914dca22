import { useCallback, useEffect, useRef, useState } from 'react';
import {
  appended,
  EMPTY_WINDOW,
  type LogWindow,
  prepended,
  windowFrom,
  windowTo,
} from './log-window';
import { followLog, readLog } from './read-log';

export interface Log {
  window: LogWindow;
  size: number;
  error: unknown;
  landing: { at: 'start' | 'end' };
  readBefore: () => void;
  readAfter: () => void;
  jump: (to: number | 'end') => void;
}

export function useLog(
  runId: string,
  writtenSoFar: number,
  isFollowing: boolean,
  startsAt: 'start' | 'end',
): Log {
  const [window, setWindow] = useState(EMPTY_WINDOW);
  const [isReading, setReading] = useState(false);
  const [isJumping, setJumping] = useState(false);
  const [landing, setLanding] = useState<Log['landing']>({ at: 'start' });
  const [error, setError] = useState<unknown>();
  const state = useRef({ window, reads: new AbortController(), isBusy: false });
  const size = Math.max(writtenSoFar, windowTo(window));

  const show = useCallback((next: LogWindow) => {
    state.current.window = next;
    setWindow(next);
  }, []);

  const read = useCallback(
    async (from: number, to: number, put: typeof appended) => {
      if (state.current.isBusy || to <= from) return;
      state.current.isBusy = true;
      setReading(true);
      const { signal } = state.current.reads;
      try {
        const part = await readLog(runId, from, to, signal);
        if (signal.aborted) return;
        if (part.to > part.from) show(put(state.current.window, part));
        setError(undefined);
      } catch (failure) {
        if (signal.aborted) return;
        setError(failure);
      }
      state.current.isBusy = false;
      setReading(false);
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
      state.current.reads.abort();
      state.current = { ...state.current, reads: new AbortController(), isBusy: false };
      const from = Math.max(0, to === 'end' ? size - PART : to);
      setJumping(true);
      const { reads } = state.current;
      const end = Math.min(size, from + PART);
      void read(from, end, (_window, part) => appended(EMPTY_WINDOW, part)).then(() => {
        if (reads.signal.aborted) return;
        setJumping(false);
        setLanding({ at: to === 'end' ? 'end' : 'start' });
      });
    },
    [read, size],
  );

  const isEmpty = window.parts.length === 0;
  useEffect(() => {
    if (size > 0 && isEmpty && !isReading && !error) jump(startsAt === 'end' ? 'end' : 0);
  }, [size, isEmpty, isReading, error, startsAt, jump]);
  const isSettled = !isJumping && (!isEmpty || size === 0);
  useFollowed({ runId, isFollowing: isFollowing && isSettled, state, show });
  useEffect(() => () => state.current.reads.abort(), []);
  return { window, size, error, landing, readBefore, readAfter, jump };
}

interface Followed {
  runId: string;
  isFollowing: boolean;
  state: { current: { window: LogWindow } };
  show: (window: LogWindow) => void;
}

function useFollowed({ runId, isFollowing, state, show }: Followed): void {
  useEffect(() => {
    if (!isFollowing) return;
    const stopped = new AbortController();
    const follow = async () => {
      for (let failures = 0; !stopped.signal.aborted; failures += 1) {
        try {
          const from = windowTo(state.current.window);
          if (await add(from, stopped.signal)) return;
          failures = 0;
        } catch {
          if (stopped.signal.aborted) return;
          await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** failures, 5_000)));
        }
      }
    };
    const add = async (from: number, signal: AbortSignal) => {
      for await (const part of followLog(runId, from, signal)) {
        if (part.from !== windowTo(state.current.window)) return false;
        show(appended(state.current.window, part));
      }
      return true;
    };
    void follow();
    return () => stopped.abort();
  }, [runId, isFollowing, state, show]);
}

const PART = 131_072;
