import { document, operationsOf } from '../../../test/operations';
import { misplacedCredential } from './misplaced-credential';

const inHeader = (name: string, value = 'anything') =>
  misplacedCredential({ headers: { [name]: value }, query: {} });
const inQuery = (name: string) => misplacedCredential({ headers: {}, query: { [name]: 'x' } });

describe('misplacedCredential', () => {
  it.each([
    'x-api-key',
    'api-key',
    'apikey',
    'api_key',
    'x-apikey',
    'x-auth-token',
    'x-access-token',
    'access-token',
    'x-authorization',
    'authentication',
    'token',
    'x-token',
    'private-token',
    'service-api-key',
    'service_api_key',
  ])('finds a credential in the header %s', (name) => {
    expect(inHeader(name)).toBe(name);
    expect(inHeader(name, '')).toBe(name);
  });

  it.each([
    'swy_0123456789',
    'Bearer swy_0123456789',
    'syp_0123456789',
    'syr_0123456789',
    'syt_0123456789.1.0123456789',
    'syk_0123456789.0123456789',
  ])('recognizes a credential by its value in any header: %s', (value) => {
    expect(inHeader('x-acme', value)).toBe('x-acme');
    expect(inHeader('proxy-authorization', value)).toBe('proxy-authorization');
  });

  it.each(['token', 'access_token', 'api_key', 'apiKey', 'API-KEY', 'auth', 'authorization'])(
    'finds a credential in the query parameter %s',
    (name) => {
      expect(inQuery(name)).toBe(name);
    },
  );

  it.each([
    ['cookie', '__Host-service.sid=s%3Axyz; token=swy_0123456789'],
    ['referer', 'http://127.0.0.1:3100/?token=swy_0123456789'],
    ['proxy-authorization', 'Basic dXNlcjpwYXNz'],
    ['x-csrf-token', 'x'],
    ['x-xsrf-token', 'x'],
    ['idempotency-key', 'x'],
    ['idempotency-key', 'swy_0123456789'],
    ['sec-websocket-key', 'x'],
    ['x-forwarded-access-token', 'x'],
    ['x-service-run-id', 'x'],
    ['x-correlation-id', 'x'],
    ['user-agent', 'token/1.0'],
    ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ])('ignores headers that browsers, proxies and the API use: %s', (name, value) => {
    expect(inHeader(name, value)).toBeNull();
  });

  it('ignores every query parameter that a route defines', () => {
    const names = queryNames();
    expect(names).toContain('cursor');
    for (const name of names) expect(inQuery(name)).toBeNull();
  });
});

const queryNames = (): string[] => [
  ...new Set(operationsOf(document()).flatMap(({ queries }) => Object.keys(queries))),
];
