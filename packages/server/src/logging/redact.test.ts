import { redact } from './redact';

const TOKEN = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiJ4In0', 'c2lnbmF0dXJl'].join('.');

describe('redact', () => {
  it.each([
    'authorization',
    'Cookie',
    'password',
    'secret',
    'token',
    'api_key',
    'apiKey',
    'key',
    'SECRETS_MASTER_KEY',
    'sessionSecret',
    'clientSecret',
    'RUN_TOKEN_SECRET',
  ])('masks the value of %s at any depth', (name) => {
    const value = {
      a: [{ [name]: 'hunter2' }],
      [name]: { inner: 'hunter2' },
      env: { deeper: { [name]: ['hunter2'] } },
      numbered: { [name]: 5_318_008 },
    };
    expect(JSON.stringify(redact(value))).not.toMatch(/hunter2|5318008/);
  });

  it('keeps names, ids, counts and booleans under keys such as inputTokens', () => {
    const value = {
      issueKey: 'ACM-42',
      keyId: '01a1',
      secretName: 'OPENAI',
      inputTokens: 1_200,
      outputTokens: 0,
      password: null,
      hasToken: true,
      token: '',
    };
    expect(redact(value)).toEqual(value);
  });

  it.each([
    ['Bearer abcdefgh12345678', 'Bearer ***'],
    [`the token ${TOKEN} ended`, 'the token *** ended'],
    [`key swy_${'x'.repeat(43)}!`, 'key ***!'],
    [`/api/auth/invites/${'x'.repeat(43)}/accept`, '/api/auth/invites/***/accept'],
    [`https://a.example/login#invite=${'x'.repeat(43)}`, 'https://a.example/login#invite=***'],
    ['postgresql://me:hunter2@host/db', 'postgresql://me:***@host/db'],
    ['rediss://:hunter2@host', 'rediss://:***@host'],
    ['https://host/path?a=b', 'https://host/path?a=b'],
  ])('masks the credential in "%s"', (text, masked) => {
    expect(redact(text)).toBe(masked);
    expect(redact({ cause: text })).toEqual({ cause: masked });
    expect(redact(new Error(text))).toEqual({ name: 'Error', message: masked });
  });

  it('keeps ordinary fields of a log line', () => {
    const at = new Date(0);
    expect(
      redact({ at, n: 1, big: 10n, no: null, on: true, monkey: 'x', none: undefined }),
    ).toEqual({
      at: at.toISOString(),
      n: 1,
      big: '10',
      no: null,
      on: true,
      monkey: 'x',
      none: undefined,
    });
  });

  it('terminates for a cycle, and truncates deep values and long lists', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(JSON.stringify(redact(circle))).toContain('…');
    expect(redact(Array.from({ length: 1000 }, () => 1))).toHaveLength(100);
  });

  it.each(['Bearer ', 'eyJ', 'eyJ-', 'eyJaaaaaaaa.', 'swy_-', 'a://', 'x://x:'])(
    'terminates for a megabyte of text that begins like a credential: %s',
    (start) => {
      const long = start + 'a'.repeat(1_000_000);
      expect(String(redact(long)).length).toBeLessThanOrEqual(long.length);
      expect(String(redact(start.repeat(200_000))).length).toBeGreaterThan(0);
    },
  );
});
