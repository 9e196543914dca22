import { conflict, type Logger } from '@switchyard/server';
import type { Redis } from 'ioredis';
import { createKnownBrowsers, type KnownBrowsers } from './known-browsers';
import { createPasswords, type Passwords } from './passwords';
import { openSessions, type Sessions } from './sessions';
import type { SignInSettings } from './sign-in-settings';
import { openThrottle, type Throttle } from './throttle';

/** What signing in needs; it exists in authenticated mode alone. */
export interface SignIn {
  sessions: Sessions;
  passwords: Passwords;
  throttle: Throttle;
  knownBrowsers: KnownBrowsers;
  logger: Logger;
}

export function openSignIn(
  redis: Redis,
  prefix: string,
  settings: SignInSettings,
  logger: Logger,
): SignIn {
  const { secret, secureCookie } = settings.session;
  return {
    sessions: openSessions(redis, prefix, settings.session),
    passwords: createPasswords(settings.passwordCost),
    throttle: openThrottle(redis, prefix, settings.throttle),
    knownBrowsers: createKnownBrowsers(secret, secureCookie),
    logger,
  };
}

/** @throws Refusal 409 in local trusted mode, where whoever reaches the address is the board */
export function requireSignIn(signIn: SignIn | null): SignIn {
  if (signIn) return signIn;
  throw conflict('conflict', 'local trusted mode has no members and no sign-in', { retry: false });
}
