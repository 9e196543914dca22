import { EnvironmentError, wholeNumber } from '@switchyard/server';
import { z } from 'zod';

export const AUTH_MODES = ['local_trusted', 'authenticated'] as const;

const publicUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s):// URL' });

export const signInEnvironment = {
  AUTH_MODE: z
    .enum(AUTH_MODES)
    .default('local_trusted')
    .describe('`authenticated`: people sign in; `local_trusted`: no sign-in'),
  PUBLIC_URL: publicUrl
    .optional()
    .describe("address for browsers and agents; default: the API's address"),
  AGENT_API_URL: publicUrl
    .optional()
    .describe('address at which the installation’s runners reach AGENT_PORT; default: PUBLIC_URL'),
  TRUST_LOCAL_NETWORK: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: confirms that only you can reach HOST; local mode only'),
  SESSION_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe('key that signs session cookies; at least 32 characters; for the API'),
  SESSION_SECRET_OLD: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe('the previous SESSION_SECRET, still accepted'),
  BOOTSTRAP_TOKEN: z
    .string()
    .min(32, 'must have at least 32 characters')
    .max(200, 'must have at most 200 characters')
    .optional()
    .describe(
      'token that creates the first account; at least 32 characters; default: a generated one in the log',
    ),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be an http(s):// URL' })
    .optional()
    .describe('issuer of the identity provider (OpenID Connect)'),
  OIDC_CLIENT_ID: z.string().max(500).optional().describe('client id at the identity provider'),
  OIDC_CLIENT_SECRET: z
    .string()
    .max(500)
    .optional()
    .describe('client secret at the identity provider; a public client has none'),
  OIDC_ONLY: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: only passwords that the operator has set are valid'),
  COMPANY_FOUNDERS: z
    .enum(['administrators', 'everybody'])
    .default('administrators')
    .describe('people who may create a company: `administrators` or `everybody`'),
  SESSION_IDLE_HOURS: wholeNumber(1, 720)
    .default(12)
    .describe('hours without a request after which a session ends'),
  SESSION_MAX_HOURS: wholeNumber(1, 8_760)
    .default(168)
    .describe('hours after which a session ends'),
  RATE_LIMIT_PER_CREDENTIAL: wholeNumber(0, 1_000_000)
    .optional()
    .describe(
      'requests per minute per credential (3000; local mode: no limit), and accepted calls per minute per webhook (1200); 0: no limit',
    ),
  RATE_LIMIT_PER_ADDRESS: wholeNumber(0, 1_000_000)
    .optional()
    .describe(
      'requests per minute per address without a valid credential (300; local mode: no limit); 0: no limit',
    ),
};

export const authenticatedEnvironment = {
  PUBLIC_URL: publicUrl,
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters'),
  TRUST_LOCAL_NETWORK: z
    .enum(['false'], 'is only valid in local trusted mode; here people sign in')
    .default('false'),
};

export const apiOnlyEnvironment = {
  SESSION_SECRET: true,
  SESSION_SECRET_OLD: true,
  BOOTSTRAP_TOKEN: true,
  OIDC_CLIENT_SECRET: true,
} as const;

const schema = z.object(signInEnvironment);
type ApiOnly = keyof typeof apiOnlyEnvironment;
type Environment = Omit<z.output<typeof schema>, ApiOnly> & { [name in ApiOnly]?: unknown };

/** bcrypt work factor; a guess takes at least 0.1 s of CPU time. */
export const PASSWORD_COST = 12;

export interface SessionLimits {
  /** Idle time in s; `absoluteSec` counts from the start of the session. */
  idleSec: number;
  absoluteSec: number;
}

export interface SessionSettings extends SessionLimits {
  secret: string | null;
  oldSecret: string | null;
  secureCookie: boolean;
}

export interface ThrottleSettings {
  perAccountAndAddress: number;
  perAccount: number;
  /**
   * Limit for one account from a known browser. The other two limits do not apply to known
   * browsers.
   */
  perBrowser: number;
  perAddress: number;
  windowSec: number;
}

export interface RateLimitSettings {
  perCredential: number | null;
  perAddress: number | null;
  perTrigger: number | null;
}

export interface ProviderSettings {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
}

export interface SignInSettings {
  session: SessionSettings;
  /** The identity provider; null if people sign in with passwords only. */
  provider: ProviderSettings | null;
  /** If false, only passwords that the operator has set are valid. */
  acceptsPasswords: boolean;
  /** Required to create the first account; if null, each start creates and logs a token. */
  bootstrapToken: string | null;
  throttle: ThrottleSettings;
  passwordCost: number;
}

export const THROTTLE: ThrottleSettings = {
  perAccountAndAddress: 10,
  perAccount: 100,
  perBrowser: 10,
  perAddress: 100,
  windowSec: 900,
};

const given = (value: unknown) => (typeof value === 'string' && value) || null;

export function signInSettings(env: Environment): SignInSettings | null {
  if (env.AUTH_MODE !== 'authenticated' || !env.PUBLIC_URL) return null;
  return {
    provider: providerSettings(env),
    acceptsPasswords: env.OIDC_ONLY === 'false',
    bootstrapToken: given(env.BOOTSTRAP_TOKEN),
    session: {
      secret: given(env.SESSION_SECRET),
      oldSecret: given(env.SESSION_SECRET_OLD),
      secureCookie: env.PUBLIC_URL.startsWith('https:'),
      idleSec: env.SESSION_IDLE_HOURS * 3_600,
      absoluteSec: env.SESSION_MAX_HOURS * 3_600,
    },
    throttle: THROTTLE,
    passwordCost: PASSWORD_COST,
  };
}

function providerSettings(env: Environment): ProviderSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_ONLY: only } = env;
  if (!issuer && !clientId && only === 'false') return null;
  if (!issuer || !clientId) {
    const missing = issuer ? 'OIDC_CLIENT_ID' : 'OIDC_ISSUER';
    throw new EnvironmentError(
      `The environment is not usable:\n  ${missing}: is required for sign-in at an identity provider`,
    );
  }
  return { issuer, clientId, clientSecret: given(env.OIDC_CLIENT_SECRET) };
}

export type CompanyFounders = 'administrators' | 'everybody';

export function companyFounders(env: Environment): CompanyFounders {
  return env.AUTH_MODE === 'local_trusted' ? 'everybody' : env.COMPANY_FOUNDERS;
}

export function rateLimitSettings(env: Environment): RateLimitSettings {
  const isLocal = env.AUTH_MODE === 'local_trusted';
  const limit = (set: number | undefined, usual: number) => (set ?? (isLocal ? 0 : usual)) || null;
  return {
    perCredential: limit(env.RATE_LIMIT_PER_CREDENTIAL, 3_000),
    perAddress: limit(env.RATE_LIMIT_PER_ADDRESS, 300),
    perTrigger: (env.RATE_LIMIT_PER_CREDENTIAL ?? 1_200) || null,
  };
}
