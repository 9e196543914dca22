import { setTimeout as sleep } from 'node:timers/promises';
import { ExchangeFailure } from '../../failure';
import { type Cost, type Counter, weightOf } from '../access/answers/shapes';

export interface Timer {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

const systemTimer: Timer = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
};

export interface Asking {
  owner: string;
  cost: Cost;
  query: URLSearchParams;
  rank: number;
  target: string;
  signal: AbortSignal | undefined;
}

export interface Limiter {
  send<T>(asking: Asking, work: () => Promise<T>): Promise<T>;
}

interface State {
  level: number;
  at: number;
  isBusy: boolean;
}

interface Waiting extends Asking {
  admit(): void;
  refuse(failure: ExchangeFailure): void;
}

export function createLimiter(timer: Timer = systemTimer): Limiter {
  const states = new Map<Counter, Map<string, State>>();
  let waiting: Waiting[] = [];
  let sleeping = new AbortController();

  const stateOf = (counter: Counter, owner: string): State => {
    const owners = states.get(counter) ?? new Map<string, State>();
    states.set(counter, owners);
    const key = counter.of === 'key' ? owner : '';
    const state = owners.get(key) ?? { level: 0, at: timer.now(), isBusy: false };
    owners.set(key, state);
    state.level = Math.max(0, state.level - ((timer.now() - state.at) / 1000) * counter.perSecond);
    state.at = timer.now();
    return state;
  };
  const usedBy = ({ cost, owner }: Asking) =>
    cost.counters.map((counter) => ({ counter, state: stateOf(counter, owner) }));
  const waitOf = (one: Waiting): number => {
    const weight = weightOf(one.cost, one.query);
    const waits = usedBy(one).map(({ counter, state }) => {
      if (counter.isOneByOne && state.isBusy) return Number.POSITIVE_INFINITY;
      return ((state.level + weight - counter.burst) / counter.perSecond) * 1000;
    });
    return Math.max(0, Math.ceil(Math.max(...waits) - 1e-6));
  };
  const advance = () => {
    sleeping.abort();
    const gone = waiting.filter(({ signal }) => signal?.aborted);
    for (const { target, refuse } of gone) {
      refuse(new ExchangeFailure('deadline', target, 'the deadline of this call has passed'));
    }
    const held = new Set<State>();
    let soonest = Number.POSITIVE_INFINITY;
    const rest: Waiting[] = [];
    const asked = waiting.filter((one) => !gone.includes(one)).sort((a, b) => a.rank - b.rank);
    for (const one of asked) {
      const wait = waitOf(one);
      const used = usedBy(one).map(({ state }) => state);
      const isHeld = used.some((state) => held.has(state));
      if (wait === 0 && !isHeld) {
        for (const state of used) {
          state.level += weightOf(one.cost, one.query);
          state.isBusy = true;
        }
        one.admit();
        continue;
      }
      for (const state of used) held.add(state);
      if (wait > 0) soonest = Math.min(soonest, wait);
      rest.push(one);
    }
    waiting = rest;
    if (Number.isFinite(soonest)) void sleepThenAdvance(soonest);
  };
  const sleepThenAdvance = async (ms: number) => {
    sleeping = new AbortController();
    const { signal } = sleeping;
    await timer.sleep(ms, signal);
    if (!signal.aborted) advance();
  };
  return {
    send: async (asking, work) => {
      await new Promise<void>((admit, refuse) => {
        waiting.push({ ...asking, admit, refuse });
        advance();
      });
      try {
        return await work();
      } finally {
        for (const { counter, state } of usedBy(asking as Waiting)) {
          if (counter.isOneByOne) state.isBusy = false;
        }
        advance();
      }
    },
  };
}

export function createLimiters(timer?: Timer): (exchange: string) => Limiter {
  const limiters = new Map<string, Limiter>();
  return (exchange) => {
    const limiter = limiters.get(exchange) ?? createLimiter(timer);
    limiters.set(exchange, limiter);
    return limiter;
  };
}
