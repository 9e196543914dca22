import { createHash } from 'node:crypto';
import { ApiError } from '@switchyard/server';
import type { Redis } from 'ioredis';
import { openLimiter } from '../network/limiter';

/** Failures in one window after which no more are taken. */
export interface ThrottleSettings {
  /** Of one account from one address. */
  perAccountAndAddress: number;
  /** Of one account from all addresses together: what an attacker with many of them can try. */
  perAccount: number;
  /** Of one account from one browser that its owner has signed in with; the two above do not touch it. */
  perBrowser: number;
  /** Of one address, whatever the accounts. */
  perAddress: number;
  windowSec: number;
}

interface Guess {
  address: string;
  email: string;
  /** The known browser that it comes from. */
  browser: string | null;
}

interface Counted {
  /** Whether a known browser's own count let it in. */
  isKnown: boolean;
  /** The guess was right: it is held against nobody. */
  wasRight(): Promise<void>;
  /** The password could not be looked at: nobody has learnt anything. */
  wasNotLookedAt(): Promise<void>;
}

export interface Throttle {
  /**
   * One try of a password, whether or not the account exists; counted before it is looked at, so that
   * parallel guesses count too. @throws ApiError 429
   */
  guess(guess: Guess): Promise<Counted>;
  /** One try of a token, which names no account: counted for its address alone. @throws ApiError 429 */
  attempt(address: string): Promise<void>;
  /** The token was good. */
  succeeded(address: string): Promise<void>;
}

/** Texts of any length become keys of one. */
const keyOf = (...parts: string[]) =>
  createHash('sha256').update(parts.join('\n')).digest('base64url');

/** Failed sign-ins are counted for a known browser, or else the address, the account there, the account. */
export function openThrottle(redis: Redis, prefix: string, settings: ThrottleSettings): Throttle {
  const { windowSec } = settings;
  const open = (name: string, points: number) =>
    openLimiter({ redis, name: `${prefix}:sign-in:${name}`, points, windowSec, deadlineMs: 500 });
  const addresses = open('address', settings.perAddress);
  const pairs = open('account-and-address', settings.perAccountAndAddress);
  const accounts = open('account', settings.perAccount);
  const browsers = open('browser', settings.perBrowser);

  /** A known browser that failed too often is a stranger like others. */
  const hasTurn = async (browser: string): Promise<boolean> => {
    try {
      await browsers.take(browser);
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  };
  return {
    guess: async ({ address, email, browser }) => {
      if (browser !== null && (await hasTurn(browser))) {
        return {
          isKnown: true,
          wasRight: () => browsers.forget(browser),
          wasNotLookedAt: () => browsers.giveBack(browser),
        };
      }
      const account = keyOf(email);
      const pair = keyOf(email, address);
      await addresses.take(address);
      await pairs.take(pair);
      await accounts.take(account);
      // Not forgotten: whoever guesses elsewhere would begin anew at each sign-in of the owner.
      const giveBack = () => [addresses.giveBack(address), accounts.giveBack(account)];
      return {
        isKnown: false,
        wasRight: async () => void (await Promise.all([...giveBack(), pairs.forget(pair)])),
        wasNotLookedAt: async () => void (await Promise.all([...giveBack(), pairs.giveBack(pair)])),
      };
    },
    attempt: (address) => addresses.take(address),
    succeeded: (address) => addresses.giveBack(address),
  };
}
