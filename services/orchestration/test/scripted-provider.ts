import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT_ID = 'switchyard';
export const CLIENT_SECRET = 'a client secret that only the tests know';

export type Claims = Record<string, unknown>;

interface Begun {
  nonce: string;
  challenge: string;
  claims: Claims;
  change(payload: Claims): Claims;
  isForged: boolean;
}

export type ScriptedProvider = Awaited<ReturnType<typeof openScriptedProvider>>;

/** An identity provider that can send false claims. Verifies PKCE, and accepts each code once. */
export async function openScriptedProvider(port = 0) {
  const { exportJWK, generateKeyPair, SignJWT } = await import('jose');
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const begun = new Map<string, Begun>();
  const sign = (payload: Claims, { isForged = false, type = 'JWT' } = {}) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: 'own', typ: type })
      .sign(isForged ? other.privateKey : own.privateKey);
  const now = () => Math.floor(Date.now() / 1000);
  const provider = {
    url: '',
    redeemed: 0,
    now,
    sign,
    /**
     * Returns the redirect URL that a real provider would send to the browser after the sign-in.
     */
    authorize(
      address: string,
      claims: Claims,
      { change = (payload: Claims) => payload, isForged = false } = {},
    ): URL {
      const { searchParams: asked } = new URL(address);
      const code = `code-${begun.size}-${Math.random()}`;
      const [nonce, challenge] = ['nonce', 'code_challenge'].map((name) => asked.get(name) ?? '');
      begun.set(code, { nonce: `${nonce}`, challenge: `${challenge}`, claims, change, isForged });
      const callback = new URL(asked.get('redirect_uri') ?? '');
      callback.search = String(
        new URLSearchParams({ code, state: asked.get('state') ?? '', iss: provider.url }),
      );
      return callback;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };

  const redeem = async (request: IncomingMessage): Promise<object | null> => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = new URLSearchParams(text);
    const one = begun.get(body.get('code') ?? '');
    begun.delete(body.get('code') ?? '');
    const digest = createHash('sha256').update(body.get('code_verifier') ?? '');
    if (!one || digest.digest('base64url') !== one.challenge) return null;
    provider.redeemed++;
    const { nonce, claims, change, isForged } = one;
    const times = { iat: now(), exp: now() + 60 };
    const payload = { iss: provider.url, aud: CLIENT_ID, nonce, ...times, ...claims };
    const id_token = await sign(change(payload), { isForged });
    return { access_token: 'none', token_type: 'Bearer', id_token };
  };

  const server = createServer(async (request, response) => {
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer: provider.url,
        authorization_endpoint: `${provider.url}/authorize`,
        token_endpoint: `${provider.url}/token`,
        jwks_uri: `${provider.url}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      }),
      '/keys': async () => ({
        keys: [{ ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }],
      }),
      '/token': () => redeem(request),
    };
    const answer = await answers[request.url ?? '']?.();
    response.writeHead(answer ? 200 : 400, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;
}
