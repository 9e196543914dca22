import { wholeNumber } from '@switchyard/server';
import { z } from 'zod';
import type { RateLimitSettings } from './rate-limits';
import type { SessionSettings } from './sessions';
import type { ThrottleSettings } from './throttle';

export const AUTH_MODES = ['local_trusted', 'authenticated'] as const;

export const publicUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s):// URL' });

/** What both modes read about people and requests. */
export const signInEnvironment = {
  AUTH_MODE: z
    .enum(AUTH_MODES)
    .default('local_trusted')
    .describe('`authenticated` turns on people, sessions and invites'),
  PUBLIC_URL: publicUrl
    .optional()
    .describe("what agents and browsers are told; without it the API's own address"),
  AGENT_API_URL: publicUrl
    .optional()
    .describe(
      'what agents inside a worker call: AGENT_PORT by its name among them; else PUBLIC_URL',
    ),
  TRUST_LOCAL_NETWORK: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: you vouch that nobody else reaches HOST; local trusted mode alone'),
  SESSION_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe('signs session cookies; at least 32 characters'),
  SESSION_IDLE_HOURS: wholeNumber(1, 720)
    .default(12)
    .describe('hours without a request after which a session ends'),
  SESSION_MAX_HOURS: wholeNumber(1, 8_760)
    .default(168)
    .describe('hours after which a session ends in any case'),
  RATE_LIMIT_PER_CREDENTIAL: wholeNumber(0, 1_000_000)
    .optional()
    .describe('requests a minute, 0 for no limit; without it 3000, in local mode none'),
  RATE_LIMIT_PER_ADDRESS: wholeNumber(0, 1_000_000)
    .optional()
    .describe(
      'requests a minute without a good credential, 0 for no limit; without it 300, in local mode none',
    ),
  RATE_LIMIT_PER_TRIGGER: wholeNumber(0, 1_000_000)
    .default(1_200)
    .describe('accepted webhook calls of one trigger a minute; 0 is no limit'),
};

/** What authenticated mode cannot do without; there is no default for any of them (contract 17). */
export const authenticatedEnvironment = {
  PUBLIC_URL: publicUrl,
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters'),
  TRUST_LOCAL_NETWORK: z
    .enum(['false'], 'is for local trusted mode alone: here people sign in')
    .default('false'),
};

const schema = z.object(signInEnvironment);
type Environment = z.output<typeof schema>;

export interface SignInSettings {
  session: SessionSettings;
  throttle: ThrottleSettings;
  /** Work factor of bcrypt. */
  passwordCost: number;
}

export const THROTTLE: ThrottleSettings = {
  perAccountAndAddress: 10,
  perAccount: 100,
  perBrowser: 10,
  perAddress: 100,
  windowSec: 900,
};

/** Null in local trusted mode, where nobody signs in. */
export function signInSettings(env: Environment): SignInSettings | null {
  if (env.AUTH_MODE !== 'authenticated' || !env.SESSION_SECRET || !env.PUBLIC_URL) return null;
  return {
    session: {
      secret: env.SESSION_SECRET,
      secureCookie: env.PUBLIC_URL.startsWith('https:'),
      idleSec: env.SESSION_IDLE_HOURS * 3_600,
      absoluteSec: env.SESSION_MAX_HOURS * 3_600,
    },
    throttle: THROTTLE,
    passwordCost: 12,
  };
}

/** On by default where strangers can reach the API, off in local trusted mode. */
export function rateLimitSettings(env: Environment): RateLimitSettings {
  const isLocal = env.AUTH_MODE === 'local_trusted';
  const limit = (set: number | undefined, usual: number) => (set ?? (isLocal ? 0 : usual)) || null;
  return {
    perCredential: limit(env.RATE_LIMIT_PER_CREDENTIAL, 3_000),
    perAddress: limit(env.RATE_LIMIT_PER_ADDRESS, 300),
    perTrigger: env.RATE_LIMIT_PER_TRIGGER || null,
  };
}
