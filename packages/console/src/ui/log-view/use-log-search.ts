import { useEffect, useRef, useState } from 'react';
import { plainText } from './ansi';
import { type LogWindow, windowFrom, windowTo } from './log-window';
import { readLog } from './read-log';
import { searchLog } from './search-log';

export interface LogSearch {
  text: string;
  setText: (text: string) => void;
  /** The number of the row that was found last. */
  found: number | undefined;
  /** How far a search through the whole log has come, of 1. */
  progress: number | undefined;
  isMissing: boolean;
  next: (direction: 1 | -1) => void;
  stop: () => void;
}

interface Searched {
  window: LogWindow;
  jump: (to: number) => void;
}

/** Looks through what the page holds first, then through the rest of the log piece by piece. */
export function useLogSearch(
  runId: string,
  size: number,
  { window, jump }: Searched,
  onSearch: () => void,
): LogSearch {
  const [text, setText] = useState('');
  const [found, setFound] = useState<number>();
  const [progress, setProgress] = useState<number>();
  const [isMissing, setMissing] = useState(false);
  const running = useRef<AbortController>(undefined);
  /** After a jump, the first row that has the text is the one that was looked for. */
  const [isLanding, setLanding] = useState(false);
  useEffect(() => {
    if (!isLanding || window.rows.length === 0) return;
    const row = rowWith(text, window, 0, 1);
    setFound(row);
    setLanding(false);
  }, [isLanding, window, text]);
  useEffect(() => () => running.current?.abort(), []);

  const stop = () => {
    running.current?.abort();
    setProgress(undefined);
  };
  const next = async (direction: 1 | -1) => {
    if (text.trim() === '') return;
    stop();
    onSearch();
    setMissing(false);
    const at = found === undefined ? -1 : found - window.firstRow;
    const from = found === undefined && direction === -1 ? window.rows.length - 1 : at + direction;
    const row = rowWith(text, window, from, direction);
    if (row !== undefined) return setFound(row);
    const search = new AbortController();
    running.current = search;
    try {
      const byte = await searchLog({
        text,
        at: direction === 1 ? windowTo(window) : windowFrom(window),
        size,
        direction,
        read: (start, end) => readLog(runId, start, end, search.signal),
        onProgress: (position) => setProgress(position / size),
      });
      setProgress(undefined);
      if (byte === undefined) return setMissing(true);
      jump(byte);
      setFound(undefined);
      setLanding(true);
    } catch {
      setProgress(undefined);
    }
  };
  return {
    text,
    setText: (typed) => {
      stop();
      setText(typed);
      setMissing(false);
      setFound(undefined);
    },
    found,
    progress,
    isMissing,
    next: (direction) => void next(direction),
    stop,
  };
}

function rowWith(
  text: string,
  { rows, firstRow }: LogWindow,
  from: number,
  direction: 1 | -1,
): number | undefined {
  const wanted = text.toLowerCase();
  for (let at = from; at >= 0 && at < rows.length; at += direction) {
    if (
      plainText(rows[at] ?? '')
        .toLowerCase()
        .includes(wanted)
    )
      return firstRow + at;
  }
  return undefined;
}
