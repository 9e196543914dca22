import { unwrap } from '@switchyard/client';
import { useEffect, useRef, useState } from 'react';
import { api, sentenceOf } from '../../data/api';
import { showToast } from '../toast';
import { rowAt } from './log-window';
import type { Log } from './use-log';

export interface LogSearch {
  text: string;
  setText: (text: string) => void;
  found: { count: number; at: number; isComplete: boolean } | undefined;
  row: number | undefined;
  isSearching: boolean;
  step: (by: 1 | -1) => void;
}

interface Finds {
  text: string;
  offsets: readonly number[];
  nextOffset: number;
  isComplete: boolean;
  at: number;
}

export function useLogSearch(runId: string, log: Log, onStep: () => void): LogSearch {
  const [text, setText] = useState('');
  const [finds, setFinds] = useState<Finds>();
  const [isSearching, setSearching] = useState(false);
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);
  const offset = finds?.offsets[finds.at];
  const row = offset === undefined ? undefined : rowAt(log.window, offset);

  const go = (next: Finds) => {
    setFinds(next);
    const byte = next.offsets[next.at];
    if (byte === undefined) return;
    onStep();
    if (rowAt(log.window, byte) === undefined) log.jump(Math.max(0, byte - BEFORE));
  };
  const step = async (by: 1 | -1) => {
    if (text.trim() === '') return;
    const known = finds?.text === text ? finds : undefined;
    const at = known ? known.at + by : 0;
    if (known && at >= 0 && at < known.offsets.length) return go({ ...known, at });
    if (known && (at < 0 || known.isComplete)) {
      return go({ ...known, at: at < 0 ? known.offsets.length - 1 : 0 });
    }
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    setSearching(true);
    try {
      const more = await findMore(runId, known ?? noneOf(text), signal);
      go({ ...more, at: Math.min(at, Math.max(0, more.offsets.length - 1)) });
    } catch (error) {
      if (signal.aborted) return;
      showToast({ tone: 'bad', text: sentenceOf(error) });
    }
    setSearching(false);
  };
  return {
    text,
    setText: (typed) => {
      running.current.abort();
      setSearching(false);
      setText(typed);
      setFinds(undefined);
    },
    found: finds && { count: finds.offsets.length, at: finds.at, isComplete: finds.isComplete },
    row,
    isSearching,
    step: (by) => void step(by),
  };
}

const noneOf = (text: string): Finds => ({
  text,
  offsets: [],
  nextOffset: 0,
  isComplete: false,
  at: 0,
});

async function findMore(runId: string, known: Finds, signal: AbortSignal): Promise<Finds> {
  const { matches, nextOffset, complete } = await unwrap(
    api.GET('/api/heartbeat-runs/{runId}/log/search', {
      params: {
        path: { runId },
        query: { q: known.text, offset: known.nextOffset, limit: 500 },
      },
      signal,
    }),
  );
  const offsets = [...known.offsets, ...matches.map(({ offset }) => offset)];
  const more = { ...known, offsets, nextOffset, isComplete: complete };
  return matches.length > 0 || complete ? more : findMore(runId, more, signal);
}

const BEFORE = 32_768;
