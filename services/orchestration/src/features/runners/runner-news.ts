import type { Hints, Nudges } from '@switchyard/queue';

/** News of runs and checks that wait, for the calls of runners that wait in this process. */
export interface RunnerNews {
  /** Says so to every process. May be lost. */
  announce(): void;
  /** Says so in this process. */
  tell(): void;
  /** A caller has a place more, as far as this process knows. */
  free(caller: string): void;
  /** A call that waits; `end` has it return, as when the same caller calls anew. Returns the way out. */
  join(caller: string, call: WaitingCall): () => void;
  /** Ends the calls that wait, and those that come. */
  close(): void;
}

interface WaitingCall {
  onNews(): void;
  onFreed(): void;
  end(): void;
}

const TOPIC = 'runners';

export function openRunnerNews(nudges: Nudges): RunnerNews {
  const calls = new Map<string, WaitingCall>();
  let unsubscribe: (() => void) | null = null;
  let isClosed = false;
  const tell = () => {
    for (const call of calls.values()) call.onNews();
  };
  return {
    announce: () => nudges.publish([TOPIC]),
    tell,
    free: (caller) => calls.get(caller)?.onFreed(),
    join: (caller, call) => {
      if (isClosed) call.end();
      calls.get(caller)?.end();
      calls.set(caller, call);
      unsubscribe ??= nudges.subscribe(TOPIC, tell);
      return () => {
        if (calls.get(caller) === call) calls.delete(caller);
      };
    },
    close: () => {
      isClosed = true;
      unsubscribe?.();
      for (const call of calls.values()) call.end();
    },
  };
}

/** Hints of runs of which runners are told too: who waits for work is nudged, whoever takes the job. */
export function tellingRunners(hints: Hints, news: Pick<RunnerNews, 'announce'>): Hints {
  return {
    hint: (queue, payload) => {
      if (queue === 'heartbeat-runs') news.announce();
      return hints.hint(queue, payload);
    },
    close: () => hints.close(),
  };
}
