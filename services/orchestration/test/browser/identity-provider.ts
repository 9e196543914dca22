import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CLIENT = { id: 'switchyard', secret: 'a client secret that only the tests know' };

/** A real OpenID provider, whose sign-in page accepts any login with any password. */
export async function openIdentityProvider() {
  const { Provider } = await import('oidc-provider');
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    register(publicUrl: string) {
      const provider = new Provider(url, {
        clients: [
          {
            client_id: CLIENT.id,
            client_secret: CLIENT.secret,
            redirect_uris: [`${publicUrl}/sign-in/callback`],
            backchannel_logout_uri: `${publicUrl}/sign-in/logout`,
            backchannel_logout_session_required: true,
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: () => ({
            sub: id,
            email: `${id}@corp.example.com`,
            email_verified: true,
            name: `Name of ${id}`,
          }),
        }),
        cookies: { keys: ['a key that only the tests know'] },
        features: { backchannelLogout: { enabled: true } },
        pkce: { required: () => true },
        // The provider's dispatcher refuses loopback addresses.
        fetch: (input, init) => fetch(input, { ...init, dispatcher: undefined } as RequestInit),
      });
      server.on('request', provider.callback());
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
