import { untilAborted } from '@switchyard/async';
import { ExchangeFailure } from '../../failure';
import type { ExchangeState } from '../../port';
import type { CallScope } from './call-scope';

type CircuitState = Omit<ExchangeState, 'clockOffsetMs' | 'key'>;

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30_000;
const RATE_LIMITED_MS = 60_000;
const BANNED_MS = 120_000;
const ANSWERS = ['auth', 'permission', 'bad_symbol', 'not_found', 'not_supported'];
const COUNTED = ['timeout', 'network', 'unavailable', 'maintenance'];

export interface Circuit {
  /**
   * Admits one trial call after the pause; other callers wait for its result.
   * @throws ExchangeFailure `circuit_open` during the pause
   */
  admit(call: CallScope): Promise<void>;
  succeeded(): void;
  failed(failure: ExchangeFailure): void;
  state(): CircuitState;
}

/**
 * Stops calls to an exchange that fails or sends a retry time, because exchanges ban addresses that
 * continue to poll. After the pause only a successful trial call closes the circuit.
 */
export function createCircuit(now: () => number): Circuit {
  let failures = 0;
  let openUntil: number | null = null;
  let trial: Trial | null = null;
  let lastSuccessAt: number | null = null;

  const endTrial = () => {
    trial?.end();
    trial = null;
  };
  const open = (until: number) => {
    openUntil = Math.max(openUntil ?? 0, until);
    endTrial();
  };
  const close = () => {
    failures = 0;
    openUntil = null;
    endTrial();
  };
  return {
    admit: async (call) => {
      const { target, signal } = call;
      while (openUntil !== null && trial?.call !== call) {
        if (now() < openUntil) {
          const reason = `no calls are sent to the exchange until ${new Date(openUntil).toISOString()}`;
          throw new ExchangeFailure('circuit_open', target, reason);
        }
        if (trial === null) trial = beginTrial(call);
        else {
          await untilAborted(trial.over, signal, () => {
            throw new ExchangeFailure('deadline', target, 'the deadline of this call has passed');
          });
        }
      }
    },
    succeeded: () => {
      close();
      lastSuccessAt = now();
    },
    failed: (failure) => {
      const { code, silentUntil } = failure;
      if (code === 'circuit_open') return;
      if (ANSWERS.includes(code)) return close();
      endTrial();
      if (code === 'rate_limited') open(silentUntil ?? now() + RATE_LIMITED_MS);
      else if (code === 'banned') open(silentUntil ?? now() + BANNED_MS);
      if (!COUNTED.includes(code)) return;
      failures++;
      if (failures >= FAILURES_TO_OPEN || openUntil !== null) open(now() + OPEN_MS);
    },
    state: () => ({
      circuit: openUntil === null ? 'closed' : now() < openUntil ? 'open' : 'half_open',
      openUntil,
      lastSuccessAt,
      consecutiveFailures: failures,
    }),
  };
}

interface Trial {
  call: CallScope;
  over: Promise<void>;
  end(): void;
}

function beginTrial(call: CallScope): Trial {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { call, over, end };
}
