/** What git sends to an https host as a credential. The name is what hosts expect beside a token. */
export function authorizationOf(credential: string): string {
  const pair = credential.includes(':') ? credential : `x-access-token:${credential}`;
  return `Basic ${Buffer.from(pair.trim()).toString('base64')}`;
}
