import type { OpenDatabase } from '@switchyard/db';
import { conflict, type Logger } from '@switchyard/server';
import type { Redis } from 'ioredis';
import { secretsOf } from '../seal';
import { countFailures, type FailedSignIns } from './failed-sign-ins';
import { createKnownBrowsers, type KnownBrowsers } from './known-browsers';
import { createPasswords, type Passwords } from './passwords';
import { openSessions, type Sessions } from './sessions';
import type { SignInSettings } from './sign-in-settings';
import { openThrottle, type Throttle } from './throttle';

export interface SignIn {
  sessions: Sessions;
  passwords: Passwords;
  throttle: Throttle;
  knownBrowsers: KnownBrowsers;
  failures: FailedSignIns;
  logger: Logger;
}

/** Null without the session secret, which a worker does not have. */
export function openSignIn(
  db: OpenDatabase,
  redis: Redis,
  prefix: string,
  settings: SignInSettings,
  logger: Logger,
): SignIn | null {
  const { secret, oldSecret, secureCookie } = settings.session;
  if (secret === null) return null;
  const secrets = secretsOf(secret, oldSecret);
  return {
    sessions: openSessions(db, secrets, settings.session),
    passwords: createPasswords(settings.passwordCost),
    throttle: openThrottle(redis, prefix, settings.throttle),
    knownBrowsers: createKnownBrowsers(secrets, secureCookie),
    failures: countFailures(),
    logger,
  };
}

export function requireSignIn(signIn: SignIn | null): SignIn {
  if (signIn) return signIn;
  throw conflict('conflict', 'local trusted mode has no members and no sign-in', { retry: false });
}
