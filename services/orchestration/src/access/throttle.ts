import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { openLimiter } from './limiter';

export interface ThrottleSettings {
  perAccount: number;
  perAddress: number;
  windowSec: number;
}

export interface Throttle {
  /** Counted before the password is looked at, so that parallel guesses count too. @throws Refusal 429 */
  attempt(address: string, email?: string): Promise<void>;
  /** The attempt was good: it is not held against the address, and the account starts afresh. */
  succeeded(address: string, email?: string): Promise<void>;
}

/** Failed sign-ins, by address and by account, whether or not the account exists (guarantee G25). */
export function openThrottle(redis: Redis, prefix: string, settings: ThrottleSettings): Throttle {
  const { perAccount, perAddress, windowSec } = settings;
  const open = (name: string, points: number) =>
    openLimiter({ redis, name: `${prefix}:sign-in:${name}`, points, windowSec, deadlineMs: 500 });
  const addresses = open('address', perAddress);
  const accounts = open('account', perAccount);
  const account = (email: string) => createHash('sha256').update(email).digest('base64url');
  return {
    attempt: async (address, email) => {
      await addresses.take(address);
      if (email !== undefined) await accounts.take(account(email));
    },
    succeeded: async (address, email) => {
      await addresses.giveBack(address);
      if (email !== undefined) await accounts.forget(account(email));
    },
  };
}
