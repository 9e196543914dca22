import type { Nudges } from '@switchyard/queue';
import { TOPICS, type Waited } from '../../kernel/announce-work';
import { partOf } from '../../kernel/context';

export const runnerNews = partOf(({ nudges }) => openRunnerNews(nudges));

interface RunnerNews {
  tell(): void;
  /**
   * Notifies the waiting call of `caller` if it is in this process, otherwise all processes. The
   * notification may be lost.
   */
  free(caller: string): void;
  join(caller: string, call: WaitingCall): Joined;
  close(): void;
}

interface WaitingCall {
  /**
   * Sequence number; a call ends the same runner's call with a lower number, but never one with a
   * higher number.
   */
  seq?: number | undefined;
  onNews(): void;
  onFreed(): void;
  end(): void;
}

export interface Joined {
  isNew(what: Waited): boolean;
  /** Call before a lookup; call the returned function if the lookup found nothing. */
  look(what: Waited): () => void;
  leave(): void;
}

const PLACES = 'runner-places';

export const LOOK_MS = 1_000;

/** Margin in ms, because timers may fire slightly early. */
const EARLY_MS = 50;

const FORGET_MS = 60_000;

interface Look {
  news: number;
  at: number;
}

export function openRunnerNews(nudges: Nudges): RunnerNews {
  const calls = new Map<string, WaitingCall>();
  const announced: Record<Waited, number> = { runs: 0, checks: 0 };
  const looks = new Map<string, Partial<Record<Waited, Look>>>();
  let ways: (() => void)[] | null = null;
  let isClosed = false;
  const hear = (...what: Waited[]) => {
    for (const each of what) announced[each]++;
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
          return (
            look?.news !== announced[what] || performance.now() - look.at >= LOOK_MS - EARLY_MS
          );
        },
        look: (what) => {
          const look = { news: announced[what], at: performance.now() };
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
