import type { Hints, Nudges } from '@switchyard/queue';

/** What runners wait for. */
export type Waited = 'runs' | 'checks';

/** News of runs and checks that wait, for the calls of runners that wait in this process. */
export interface RunnerNews {
  /** Says so to every process. May be lost. */
  announce(what: Waited): void;
  /** Says so in this process. */
  tell(): void;
  /**
   * A place of a caller became free. Told to its call where that waits in this process, else to the calls of all callers in
   * every process. May be lost.
   */
  free(caller: string): void;
  /** A call that waits; `end` has it return, as when the same caller calls anew or has done so already. */
  join(caller: string, call: WaitingCall): Joined;
  /** Ends the calls that wait, and those that come. */
  close(): void;
}

interface WaitingCall {
  /** Of a caller that numbers its calls: one ends those before it, and none behind it. */
  seq?: number | undefined;
  onNews(): void;
  onFreed(): void;
  end(): void;
}

export interface Joined {
  /** Whether there may be more than the caller's latest look left behind, in this call or an earlier one. */
  isNew(what: Waited): boolean;
  /** Called before a look; what it returns is called when that has left nothing for the caller. */
  look(what: Waited): () => void;
  leave(): void;
}

const TOPICS: Record<Waited, string> = { runs: 'runners', checks: 'runner-checks' };
const PLACES = 'runner-places';

/** News may be lost: what waits is looked for at least so often. */
export const LOOK_MS = 1_000;

/** A timer may be over a little before its time. */
const EARLY_MS = 50;

/** After so long nobody calls by this name any more. */
const FORGET_MS = 60_000;

interface Look {
  news: number;
  at: number;
}

export function openRunnerNews(nudges: Nudges): RunnerNews {
  const calls = new Map<string, WaitingCall>();
  const told: Record<Waited, number> = { runs: 0, checks: 0 };
  /** The latest look of each caller that left nothing. */
  const looks = new Map<string, Partial<Record<Waited, Look>>>();
  let ways: (() => void)[] | null = null;
  let isClosed = false;
  const hear = (...what: Waited[]) => {
    for (const each of what) told[each]++;
    for (const call of calls.values()) call.onNews();
  };
  const hearFreed = () => {
    for (const call of calls.values()) call.onFreed();
  };
  const listen = () => [
    ...(Object.keys(TOPICS) as Waited[]).map((what) =>
      nudges.subscribe(TOPICS[what], () => hear(what)),
    ),
    nudges.subscribe(PLACES, hearFreed),
  ];
  const forgetOld = () => {
    const before = performance.now() - FORGET_MS;
    for (const [caller, { runs, checks }] of looks) {
      if (!calls.has(caller) && Math.max(runs?.at ?? 0, checks?.at ?? 0) < before) {
        looks.delete(caller);
      }
    }
  };
  return {
    announce: (what) => nudges.publish([TOPICS[what]]),
    tell: () => hear('runs', 'checks'),
    free: (caller) => {
      const call = calls.get(caller);
      if (call) call.onFreed();
      else nudges.publish([PLACES]);
    },
    join: (caller, call) => {
      const other = calls.get(caller);
      const isOvertaken = (other?.seq ?? 0) > (call.seq ?? 0);
      if (isClosed || isOvertaken) call.end();
      if (!isOvertaken) {
        other?.end();
        calls.set(caller, call);
      }
      ways ??= listen();
      if (!looks.has(caller)) forgetOld();
      return {
        isNew: (what) => {
          const look = looks.get(caller)?.[what];
          return look?.news !== told[what] || performance.now() - look.at >= LOOK_MS - EARLY_MS;
        },
        look: (what) => {
          const look = { news: told[what], at: performance.now() };
          return () => looks.set(caller, { ...looks.get(caller), [what]: look });
        },
        leave: () => {
          if (calls.get(caller) === call) calls.delete(caller);
        },
      };
    },
    close: () => {
      isClosed = true;
      for (const leave of ways ?? []) leave();
      for (const call of calls.values()) call.end();
    },
  };
}

/** Hints of runs of which runners are told too: who waits for work is nudged, whoever takes the job. */
export function tellingRunners(hints: Hints, news: Pick<RunnerNews, 'announce'>): Hints {
  return {
    hint: (queue, payload) => {
      if (queue === 'heartbeat-runs') news.announce('runs');
      return hints.hint(queue, payload);
    },
    close: () => hints.close(),
  };
}
