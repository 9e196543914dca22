import type { Exchange as CcxtExchange } from 'ccxt';
import type { KeyPermissions, KeyState } from '../../port';
import { readKeyPermissions } from './key-permissions';

const DAY = 86_400_000;
const AFTER_FAILURE_MS = 60_000;

/**
 * Reads permissions daily, because they can change at the exchange, and every minute while a
 * problem exists.
 */
export interface KeyCheck {
  isDue(): boolean;
  read(ccxt: CcxtExchange, call: (ask: () => Promise<unknown>) => Promise<unknown>): Promise<void>;
  miss(names: readonly string[]): void;
  state(): KeyState;
}

export function createKeyCheck(hasKey: boolean, now: () => number): KeyCheck {
  let permissions: KeyPermissions | null = null;
  let checkedAt: number | null = null;
  let missing: readonly string[] = [];
  let dueAt = hasKey ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return {
    isDue: () => now() >= dueAt,
    read: async (ccxt, call) => {
      dueAt = now() + AFTER_FAILURE_MS;
      permissions = await readKeyPermissions(ccxt, call);
      checkedAt = now();
      dueAt = now() + (problemOf(permissions, missing) === null ? DAY : AFTER_FAILURE_MS);
    },
    miss: (names) => {
      missing = names;
    },
    state: () => ({
      permissions,
      checkedAt,
      problem: problemOf(permissions, missing),
      warnings: hasKey ? warningsOf(permissions) : [],
    }),
  };
}

function problemOf(permissions: KeyPermissions | null, missing: readonly string[]): string | null {
  if (missing.length > 0) return `the exchange also requires ${missing.join(' and ')}`;
  if (!permissions?.withdraw) return null;
  return 'the API key may withdraw or transfer: create a read-only key';
}

function warningsOf(permissions: KeyPermissions | null): string[] {
  if (!permissions)
    return ['the permissions of the API key are not known: check that it is read-only'];
  const warnings: string[] = [];
  if (permissions.trade) warnings.push('the API key may trade: create a read-only key');
  if (permissions.boundToAddress === false)
    warnings.push('the API key is not restricted to an IP address');
  return warnings;
}
