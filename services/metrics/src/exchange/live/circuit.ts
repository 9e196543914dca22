import { ExchangeFailure } from '../failure';
import type { ExchangeState } from '../port';

type CircuitState = Omit<ExchangeState, 'clockOffsetMs' | 'key'>;

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30_000;
const RATE_LIMITED_MS = 60_000;
const BANNED_MS = 120_000;
/** The exchange is there, and says no. */
const ANSWERS = ['auth', 'permission', 'bad_symbol', 'not_found', 'not_supported'];
const COUNTED = ['timeout', 'network', 'unavailable', 'maintenance'];

export interface Circuit {
  /** @throws ExchangeFailure `circuit_open` while the exchange is to be left alone */
  admit(target: string): void;
  succeeded(): void;
  failed(failure: ExchangeFailure): void;
  state(): CircuitState;
}

/**
 * Leaves an exchange alone that fails or asks for silence: pollers that go on are banned by their address.
 * After the pause one call tries; only its success closes the circuit.
 */
export function createCircuit(now: () => number): Circuit {
  let failures = 0;
  let openUntil: number | null = null;
  let isTrying = false;
  let lastSuccessAt: number | null = null;

  const open = (until: number) => {
    openUntil = Math.max(openUntil ?? 0, until);
    isTrying = false;
  };
  const close = () => {
    failures = 0;
    openUntil = null;
    isTrying = false;
  };
  return {
    admit: (target) => {
      if (openUntil === null) return;
      if (now() < openUntil || isTrying) {
        const until = new Date(openUntil).toISOString();
        throw new ExchangeFailure(
          'circuit_open',
          target,
          `no calls to the exchange until ${until}`,
        );
      }
      isTrying = true;
    },
    succeeded: () => {
      close();
      lastSuccessAt = now();
    },
    failed: (failure) => {
      const { code, silentUntil } = failure;
      // It was not sent.
      if (code === 'circuit_open') return;
      if (ANSWERS.includes(code)) return close();
      isTrying = false;
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
