export function authorizationOf(credential: string): string {
  const pair = credential.includes(':') ? credential : `x-access-token:${credential}`;
  return `Basic ${Buffer.from(pair.trim()).toString('base64')}`;
}
