import {
  createClient,
  type OrchestrationClient,
  type OrchestrationSettings,
  type Schemas,
} from './create-client';
import { unwrap } from './unwrap';

export interface Session {
  user: Schemas['User'];
  client: OrchestrationClient;
  signOut(): Promise<void>;
}

/**
 * Signs in with a password and stores the session's cookies, in Node.js only. Long-running programs
 * should use a personal access token.
 * @throws RefusedError 401 when the email or the password is wrong, 429 after too many attempts
 */
export async function signIn(
  settings: Omit<OrchestrationSettings, 'token'>,
  credentials: Schemas['LoginBody'],
): Promise<Session> {
  const client = createClient(settings);
  keepCookies(client);
  const { user } = await unwrap(client.POST('/api/auth/login', { body: credentials }));
  return {
    user,
    client,
    signOut: async () => {
      await unwrap(client.POST('/api/auth/logout', {}));
    },
  };
}

function keepCookies(client: OrchestrationClient): void {
  const kept = new Map<string, string>();
  client.use({
    onRequest: ({ request }) => {
      const pairs = [...kept].map(([name, value]) => `${name}=${value}`);
      if (pairs.length > 0) request.headers.set('cookie', pairs.join('; '));
    },
    onResponse: ({ response }) => {
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
        if (name && value) kept.set(name, value);
        else if (name) kept.delete(name);
      }
    },
  });
}
