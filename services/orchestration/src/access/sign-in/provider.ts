import { ApiError, errorFields } from '@switchyard/server';
import { z } from 'zod';
import { type Context, partOf } from '../../kernel/context';
import type { ProviderSettings } from '../../settings/sign-in-settings';

/** Claims of a person who signed in (OpenID Connect Core 1.0, 5.1). */
export interface ProviderPerson {
  issuer: string;
  subject: string;
  /** Null unless the provider has verified the address. */
  email: string | null;
  name: string | null;
  session: string | null;
  authenticatedAt: string;
}

export interface SignInRequest {
  state: string;
  nonce: string;
  verifier: string;
}

export interface Provider {
  /** `again`: the provider must ask for the credentials again. */
  begin(again: boolean): Promise<SignInRequest & { url: string }>;
  /**
   * Redeems the code in the URL to which the provider redirected the browser.
   * @throws Error if the code, state, nonce, issuer, audience or signature is wrong
   */
  redeem(callback: URL, request: SignInRequest): Promise<ProviderPerson>;
  /**
   * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6).
   * @throws Error if the token is not valid
   */
  readLogout(
    token: string,
  ): Promise<{ issuer: string; subject: string | null; session: string | null }>;
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const CLOCK_SKEW_SEC = 30;
/** Highest age of a logout token in s, long enough for a provider's retries. */
const LOGOUT_LIFE_SEC = 300;
const MOST_SECONDS = 253_402_300_799;
const CALLBACK = '/sign-in/callback';

export const providerOf = partOf(({ config, logger }: Context): Provider | null => {
  const settings = config.signIn?.provider;
  return settings
    ? openProvider(settings, `${config.publicUrl}${CALLBACK}`, (error) =>
        logger.warn('the identity provider could not be reached', errorFields(error)),
      )
    : null;
});

export function requireProvider(context: Context): Provider {
  const provider = providerOf(context);
  if (provider) return provider;
  throw new ApiError('not_found', 'this installation has no identity provider (OIDC_ISSUER)');
}

function openProvider(
  { issuer, clientId, clientSecret }: ProviderSettings,
  redirectUrl: string,
  onUnreachable: (error: unknown) => void,
): Provider {
  const discover = async () => {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import(
      'openid-client'
    );
    const execute = [enableNonRepudiationChecks];
    if (new URL(issuer).protocol === 'http:') execute.push(allowInsecureRequests);
    return discovery(new URL(issuer), clientId, clientSecret ?? undefined, undefined, { execute });
  };
  let discovered: ReturnType<typeof discover> | null = null;
  /** Caches the provider's keys and limits how often they are fetched, even for forged tokens. */
  const openKeys = async (url: string) => (await import('jose')).createRemoteJWKSet(new URL(url));
  let keys: ReturnType<typeof openKeys> | null = null;
  const configuration = () => {
    discovered ??= discover().catch((error: unknown) => {
      discovered = null;
      onUnreachable(error);
      throw new ApiError('unavailable', 'the identity provider cannot be reached; try again later');
    });
    return discovered;
  };

  return {
    async begin(again) {
      const client = await import('openid-client');
      const config = await configuration();
      const verifier = client.randomPKCECodeVerifier();
      const request = { state: client.randomState(), nonce: client.randomNonce(), verifier };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUrl,
        scope: 'openid email profile',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: request.state,
        nonce: request.nonce,
        ...(again && { prompt: 'login', max_age: '0' }),
      });
      return { ...request, url: url.href };
    },

    async redeem(callback, { state, nonce, verifier }) {
      const client = await import('openid-client');
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = personClaims.parse(tokens.claims());
      if (claims.email !== undefined || !config.serverMetadata().userinfo_endpoint) {
        return presentPerson(claims);
      }
      const more = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      return presentPerson({ ...profileClaims.parse(more), ...claims });
    },

    async readLogout(token) {
      const { jwtVerify } = await import('jose');
      const { issuer: ownIssuer, jwks_uri } = (await configuration()).serverMetadata();
      if (jwks_uri === undefined) throw new Error('the identity provider publishes no keys');
      keys ??= openKeys(jwks_uri);
      const { payload } = await jwtVerify(token, await keys, {
        issuer: ownIssuer,
        audience: clientId,
        maxTokenAge: LOGOUT_LIFE_SEC,
        clockTolerance: CLOCK_SKEW_SEC,
      });
      const { iss, sub, sid } = logoutClaims.parse(payload);
      return { issuer: iss, subject: sub ?? null, session: sid ?? null };
    },
  };
}

/** Profile claims; some providers only send them from their UserInfo endpoint. */
const profileClaims = z.object({
  email: z.string().max(254).optional(),
  email_verified: z.boolean().optional(),
  name: z.string().trim().max(200).optional(),
});

const personClaims = profileClaims.extend({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  sid: z.string().max(255).optional(),
  /** Time of the authentication, in s since 1970. The default 0 never counts as recent. */
  auth_time: z.number().min(0).max(MOST_SECONDS).default(0),
});

const logoutClaims = z
  .object({
    iss: z.string(),
    sub: z.string().max(255).optional(),
    sid: z.string().max(255).optional(),
    events: z.object({ [LOGOUT_EVENT]: z.object({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined, 'must contain sub or sid');

function presentPerson(claims: z.infer<typeof personClaims>): ProviderPerson {
  const { iss, sub, email, email_verified: isVerified, name, sid, auth_time: authTime } = claims;
  return {
    issuer: iss,
    subject: sub,
    email: (isVerified === true && email?.trim().toLowerCase()) || null,
    name: name || null,
    session: sid ?? null,
    authenticatedAt: new Date(authTime * 1000).toISOString(),
  };
}
