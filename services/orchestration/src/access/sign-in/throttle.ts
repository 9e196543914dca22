import { createHash } from 'node:crypto';
import { ApiError } from '@switchyard/server';
import type { Redis } from 'ioredis';
import type { ThrottleSettings } from '../../settings/sign-in-settings';
import { openLimiter } from '../network/limiter';

interface Guess {
  address: string;
  email: string;
  browser: string | null;
}

interface Counted {
  isKnown: boolean;
  refundCorrect(): Promise<void>;
  refundUnchecked(): Promise<void>;
}

export interface Throttle {
  /**
   * Counts a password guess before checking it, so that parallel guesses count too.
   * @throws ApiError 429
   */
  guess(guess: Guess): Promise<Counted>;
  /**
   * A token does not name an account, so only the address counts.
   * @throws ApiError 429
   */
  attempt(address: string): Promise<void>;
  succeeded(address: string): Promise<void>;
  beginDevice(address: string): Promise<void>;
}

const keyOf = (...parts: string[]) =>
  createHash('sha256').update(parts.join('\n')).digest('base64url');

export function openThrottle(redis: Redis, prefix: string, settings: ThrottleSettings): Throttle {
  const { windowSec } = settings;
  const open = (name: string, points: number) =>
    openLimiter({ redis, name: `${prefix}:sign-in:${name}`, points, windowSec, deadlineMs: 500 });
  const addresses = open('address', settings.perAddress);
  const devices = open('device', settings.perAddress);
  const pairs = open('account-and-address', settings.perAccountAndAddress);
  const accounts = open('account', settings.perAccount);
  const browsers = open('browser', settings.perBrowser);

  /** A known browser that failed too often is limited like an unknown one. */
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
          refundCorrect: () => browsers.forget(browser),
          refundUnchecked: () => browsers.refund(browser),
        };
      }
      const account = keyOf(email);
      const pair = keyOf(email, address);
      await addresses.take(address);
      await pairs.take(pair);
      await accounts.take(account);
      const refund = () => [addresses.refund(address), accounts.refund(account)];
      return {
        isKnown: false,
        refundCorrect: async () => void (await Promise.all([...refund(), pairs.forget(pair)])),
        refundUnchecked: async () => void (await Promise.all([...refund(), pairs.refund(pair)])),
      };
    },
    attempt: (address) => addresses.take(address),
    succeeded: (address) => addresses.refund(address),
    beginDevice: (address) => devices.take(address),
  };
}
