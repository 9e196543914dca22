import type { Hints, Nudges } from '@switchyard/queue';

/** News of runs and checks that wait, for the calls of runners that wait in this process. */
export interface RunnerNews {
  /** Says so to every process. May be lost. */
  announce(): void;
  /** Says so in this process. */
  tell(): void;
  /** A call of a runner; `end` has it return, as when the same runner calls anew. Returns the way out. */
  join(instance: string, call: WaitingCall): () => void;
  /** Ends the calls that wait, and those that come. */
  close(): void;
}

interface WaitingCall {
  onNews(): void;
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
    join: (instance, call) => {
      if (isClosed) call.end();
      calls.get(instance)?.end();
      calls.set(instance, call);
      unsubscribe ??= nudges.subscribe(TOPIC, tell);
      return () => {
        if (calls.get(instance) === call) calls.delete(instance);
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
