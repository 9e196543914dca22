import { conflict, type Logger } from '@switchyard/server';
import { type Context, partOf } from '../../kernel/context';
import { deriveKey, secretsOf } from '../seal';
import { createKnownBrowsers, type KnownBrowsers } from './known-browsers';
import { createPasswords, type Passwords } from './passwords';
import { openSessions, type Sessions } from './sessions';
import { openThrottle, type Throttle } from './throttle';

export interface SignIn {
  sessions: Sessions;
  passwords: Passwords;
  throttle: Throttle;
  knownBrowsers: KnownBrowsers;
  failures: FailedSignIns;
  /** If false, only passwords that the operator has set are valid. */
  acceptsPasswords: boolean;
  /** Keys that verify the cookie of a begun sign-in; the first one also signs new cookies. */
  flowKeys: readonly [Buffer, ...Buffer[]];
  logger: Logger;
}

const FLOW_PURPOSE = 'switchyard sign-in at the identity provider';

/** Null in local mode, and in a worker, because a worker has no session secret. */
export const signInOf = partOf(openSignIn);

function openSignIn({ config, db, shared, logger }: Context): SignIn | null {
  const settings = config.signIn;
  if (!settings) return null;
  const { secret, oldSecret, secureCookie } = settings.session;
  if (secret === null) return null;
  const secrets = secretsOf(secret, oldSecret);
  const [flowKey, ...oldFlowKeys] = secrets.map((each) => deriveKey(each, FLOW_PURPOSE));
  return {
    sessions: openSessions(db, secrets, settings.session),
    passwords: createPasswords(settings.passwordCost),
    throttle: openThrottle(shared, config.redisPrefix, settings.throttle),
    knownBrowsers: createKnownBrowsers(secrets, secureCookie),
    failures: countFailures(),
    acceptsPasswords: settings.acceptsPasswords,
    flowKeys: [flowKey as Buffer, ...oldFlowKeys],
    logger,
  };
}

export function requireSignIn(context: Context): SignIn {
  const signIn = signInOf(context);
  if (signIn) return signIn;
  throw conflict('conflict', 'members and sign-in require AUTH_MODE=authenticated', {
    retry: false,
  });
}

interface FailedSignIns {
  note(userId: string, count?: number): void;
  take(): Map<string, number>;
}

/**
 * Counts failures in memory. Otherwise guesses could fill a table, and timing could reveal
 * accounts.
 */
function countFailures(): FailedSignIns {
  let counts = new Map<string, number>();
  return {
    note: (userId, count = 1) => void counts.set(userId, (counts.get(userId) ?? 0) + count),
    take: () => {
      const taken = counts;
      counts = new Map();
      return taken;
    },
  };
}
