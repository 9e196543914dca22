import { createHmac, randomBytes } from 'node:crypto';
import { ApiError } from '@switchyard/server';
import type { SigningMode } from '@switchyard/types';
import fc from 'fast-check';
import { verifyWebhook } from './verify-webhook';
import { webhookPayload } from './webhook-payload';

const SECRET = 'the secret of these tests';
const NOW = 1_800_000_000_500;
const SECOND = 1_800_000_000;
const hmac = (text: string | Buffer, prefix = '', secret = SECRET) =>
  createHmac('sha256', secret).update(prefix).update(text).digest('hex');

function verdict(
  signingMode: SigningMode,
  headers: Record<string, string>,
  body: string | Buffer = '{"a":1}',
  replayWindowSec = 300,
) {
  const request = { header: (name: string) => headers[name], body: Buffer.from(body) };
  try {
    return verifyWebhook(request, { signingMode, secret: SECRET, replayWindowSec }, NOW).once;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code;
  }
}

const own = (body: string | Buffer, at: number | string = SECOND) => ({
  'x-service-timestamp': String(at),
  'x-service-signature': `sha256=${hmac(body, `${at}.`)}`,
});

const REFUSED = 'invalid_signature';

describe('verifyWebhook in mode hmac_sha256', () => {
  it.each<[string, string | Buffer]>([
    ['odd spacing', '{ "a" :\n1\t}'],
    ['another key order', '{"b":2,"a":1}'],
    ['unicode', '{"é":"e\u0301 😀 \u2028"}'],
    ['an empty body', ''],
    ['bytes that are not text', Buffer.from([0, 255, 254, 10, 13])],
    ['a megabyte', randomBytes(1_048_576)],
  ])('checks the signature over the raw bytes of %s', (_, body) => {
    expect(verdict('hmac_sha256', own(body), body)).toMatchObject({
      expiresAt: (SECOND + 301) * 1_000,
    });
    const changed = Buffer.concat([Buffer.from(body), Buffer.from(' ')]);
    expect(verdict('hmac_sha256', own(body), changed)).toBe(REFUSED);
    if (body.length === 0) return;
    const flipped = Buffer.from(body);
    flipped[flipped.length - 1] = (flipped[flipped.length - 1] as number) ^ 1;
    expect(verdict('hmac_sha256', own(body), flipped)).toBe(REFUSED);
  });

  it('accepts a signature without prefix or in upper case, and a time in milliseconds', () => {
    const body = '{"a":1}';
    const bare = { ...own(body), 'x-service-signature': hmac(body, `${SECOND}.`) };
    expect(verdict('hmac_sha256', bare)).toMatchObject({});
    const loud = { ...bare, 'x-service-signature': bare['x-service-signature'].toUpperCase() };
    expect(verdict('hmac_sha256', loud)).toEqual(verdict('hmac_sha256', bare));
    expect(verdict('hmac_sha256', own(body, NOW))).toMatchObject({
      expiresAt: (SECOND + 301) * 1_000,
    });
  });

  it.each([
    [-300, true],
    [-301, false],
    [300, true],
    [301, false],
  ])(
    'given a signature whose time differs by %i seconds from now, accepts it: %p',
    (seconds, accepted) => {
      const found = verdict('hmac_sha256', own('{"a":1}', SECOND + seconds));
      expect(found !== REFUSED).toBe(accepted);
    },
  );

  it('rejects a call with a missing or wrong header', () => {
    const good = own('{"a":1}');
    const { 'x-service-timestamp': timestamp, 'x-service-signature': signature } = good;
    const bad: Record<string, string>[] = [
      {},
      { 'x-service-signature': signature },
      { 'x-service-timestamp': timestamp },
      { ...good, 'x-service-timestamp': String(SECOND + 1) },
      { ...good, 'x-service-timestamp': `${timestamp}.0` },
      { ...good, 'x-service-signature': `sha1=${signature.slice(7)}` },
      { ...good, 'x-service-signature': signature.slice(0, -1) },
      { ...good, 'x-service-signature': `${signature}0` },
      { ...good, 'x-service-signature': '' },
      own('{"a":1}', 'NaN'),
      own('{"a":1}', '-1'),
      own('{"a":1}', ''),
      own('{"a":1}', '9'.repeat(17)),
      { authorization: `Bearer ${SECRET}` },
    ];
    for (const headers of bad) expect(verdict('hmac_sha256', headers)).toBe(REFUSED);
    const other = { ...good, 'x-service-signature': hmac('{"a":1}', `${SECOND}.`, 'another') };
    expect(verdict('hmac_sha256', other)).toBe(REFUSED);
  });
});

describe('verifyWebhook in mode bearer', () => {
  it('accepts only the exact secret', () => {
    expect(verdict('bearer', { authorization: 'Bearer the' })).toBe(REFUSED);
    expect(verdict('bearer', {})).toBe(REFUSED);
    expect(verdict('bearer', own('{"a":1}'))).toBe(REFUSED);
    const bearer = (secret: string) => {
      const request = { header: () => `bearer ${secret}`, body: Buffer.alloc(0) };
      const trigger = { signingMode: 'bearer' as const, secret: 'abc', replayWindowSec: 30 };
      return () => verifyWebhook(request, trigger, NOW);
    };
    expect(bearer('abc')()).toEqual({ once: null });
    for (const wrong of ['ab', 'abcd', 'ABC', '']) expect(bearer(wrong)).toThrow(ApiError);
  });
});

describe('verifyWebhook for other senders', () => {
  const body = '{"a":1}';

  it('checks GitHub’s signature of the body', () => {
    const signed = { 'x-hub-signature-256': `sha256=${hmac(body)}` };
    expect(verdict('github', signed)).toMatchObject({ expiresAt: (SECOND + 301) * 1_000 });
    expect(verdict('github', signed, `${body} `)).toBe(REFUSED);
    expect(verdict('github', own(body))).toBe(REFUSED);
  });

  it('accepts a Stripe header if any of its signatures matches the time and the body', () => {
    const header = (at: number, ...signatures: string[]) => ({
      'stripe-signature': [`t=${at}`, ...signatures.map((one) => `v1=${one}`), 'v0=x'].join(','),
    });
    const good = hmac(body, `${SECOND}.`);
    expect(verdict('stripe', header(SECOND, good))).toMatchObject({});
    expect(verdict('stripe', header(SECOND, hmac(body, `${SECOND}.`, 'old'), good))).toMatchObject(
      {},
    );
    expect(verdict('stripe', header(SECOND + 1, good))).toBe(REFUSED);
    expect(verdict('stripe', header(SECOND - 400, hmac(body, `${SECOND - 400}.`)))).toBe(REFUSED);
    expect(verdict('stripe', { 'stripe-signature': `t=${SECOND},v0=${good}` })).toBe(REFUSED);
  });

  it('checks Slack’s signature of the version, the time and the body', () => {
    const header = (at: number) => ({
      'x-slack-request-timestamp': String(at),
      'x-slack-signature': `v0=${hmac(body, `v0:${at}:`)}`,
    });
    expect(verdict('slack', header(SECOND))).toMatchObject({});
    expect(verdict('slack', header(SECOND - 301))).toBe(REFUSED);
    expect(verdict('slack', { ...header(SECOND), 'x-slack-request-timestamp': '1' })).toBe(REFUSED);
  });
});

describe('webhookPayload', () => {
  it.each<[string, string, string | undefined, unknown]>([
    ['of type application/json', '{"a":[1]}', 'application/json; charset=utf-8', { a: [1] }],
    [
      'of a type that ends in +json',
      '{"specversion":"1.0"}',
      'application/cloudevents+json',
      { specversion: '1.0' },
    ],
    ['without a type', ' {} ', undefined, {}],
    ['as curl -d sends it', '{"a":1}', 'application/x-www-form-urlencoded', { a: 1 }],
    [
      'that looks like a wrapper',
      '{"contentType":null,"encoding":"text","body":""}',
      'application/json',
      { contentType: null, encoding: 'text', body: '' },
    ],
    ['after a byte order mark', '\ufeff{"a":1}', 'application/json', { a: 1 }],
    [
      'with numbers that JavaScript cannot hold, as text',
      '{"id":9007199254740993123,"n":[-9007199254740993,1e400,1.5,9007199254740991,1E2],"t":"\\"12345678901234567890"}',
      'application/json',
      {
        id: '9007199254740993123',
        n: ['-9007199254740993', '1e400', 1.5, 9007199254740991, 100],
        t: '"12345678901234567890',
      },
    ],
    ['with unusual names', '{"constructor":1}', 'application/json', { constructor: 1 }],
  ])('returns the JSON object in a body %s', (_, body, contentType, expected) => {
    expect(webhookPayload(Buffer.from(body), contentType, 'bearer')).toEqual(expected);
  });

  it.each<[string, string | Buffer, string | undefined, unknown]>([
    ['a list', '[{"a":1}]', 'application/json', { encoding: 'json', body: [{ a: 1 }] }],
    [
      'a number of a type that ends in +json',
      '1',
      'application/vnd.x+json',
      { encoding: 'json', body: 1 },
    ],
    ['null without a type', 'null', undefined, { encoding: 'json', body: null, contentType: null }],
    ['invalid JSON', '{"a":', 'application/json', { encoding: 'text', body: '{"a":' }],
    ['JSON that cannot be stored', '{"a":"\\u0000"}', 'application/json', { encoding: 'text' }],
    [
      'an object with the name __proto__',
      '{"__proto__":{"a":1}}',
      'application/json',
      { encoding: 'text', body: '{"__proto__":{"a":1}}' },
    ],
    [
      'a form',
      'payload=%7B%22a%22%3A1%7D',
      'application/x-www-form-urlencoded',
      { encoding: 'text', body: 'payload=%7B%22a%22%3A1%7D' },
    ],
    ['an object sent as text/plain', '{}', 'text/plain', { encoding: 'text', body: '{}' }],
    ['text with NUL', 'a\0b', 'text/plain', { encoding: 'base64', body: 'YQBi' }],
    [
      'bytes that are not UTF-8',
      Buffer.from([255, 0]),
      undefined,
      { encoding: 'base64', body: '/wA=' },
    ],
  ])('wraps a body that is not a storable JSON object: %s', (_, body, contentType, expected) => {
    const payload = webhookPayload(Buffer.from(body), contentType, 'bearer');
    expect(payload).toMatchObject(expected as object);
    expect(Object.keys(payload as object)).toEqual(['contentType', 'encoding', 'body']);
  });

  it.each(['github', 'slack'] as const)(
    'returns the object in the payload field of a form from %s',
    (mode) => {
      const read = (body: string) =>
        webhookPayload(Buffer.from(body), 'application/x-www-form-urlencoded', mode);
      expect(read(`payload=${encodeURIComponent('{"a":"é +"}')}`)).toEqual({ a: 'é +' });
      for (const body of ['payload=x', 'a=1', 'payload=']) {
        expect(read(body)).toMatchObject({ encoding: 'text', body });
      }
    },
  );

  it('returns null for an empty body', () => {
    expect(webhookPayload(Buffer.alloc(0), 'application/json', 'bearer')).toBeNull();
  });

  it('returns an object up to 20 levels deep, and text for a deeper object', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const kept = (text: string) => webhookPayload(Buffer.from(text), 'application/json', 'bearer');
    expect(kept(nested(20))).toEqual(JSON.parse(nested(20)));
    const tooDeep = [nested(21), nested(100_000), '['.repeat(500_000), '[[]'.repeat(9_999)];
    for (const text of tooDeep) expect(kept(text)).toMatchObject({ encoding: 'text', body: text });
  });
});

it.each<[SigningMode, RegExp]>([
  ['bearer', /"Authorization: Bearer <secret>"$/],
  ['hmac_sha256', /X-Service-Timestamp and X-Service-Signature$/],
  ['github', /X-Hub-Signature-256/],
  ['stripe', /Stripe-Signature/],
  ['slack', /X-Slack-Signature and X-Slack-Request-Timestamp/],
])(
  'verifyWebhook in mode %s rejects with an error that names the expected headers',
  (signingMode, expected) => {
    const request = { header: () => undefined, body: Buffer.from('{}') };
    const trigger = { signingMode, secret: SECRET, replayWindowSec: 300 };
    expect(() => verifyWebhook(request, trigger, NOW)).toThrow(expected);
  },
);

describe('a webhook request with random headers and bytes', () => {
  const modes = fc.constantFrom<SigningMode>('bearer', 'hmac_sha256', 'github', 'stripe', 'slack');
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .jsonValue()
      .map((value) => Buffer.from(`payload=${encodeURIComponent(JSON.stringify(value))}`)),
  );
  const types = fc.oneof(
    fc.constantFrom(undefined, 'application/json', 'application/x-www-form-urlencoded'),
    fc.string({ unit: 'binary' }),
  );

  it('gets 401 in every mode unless it is signed', () => {
    const signature = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^(?:sha256=|v0=|t=\d{1,20},v1=|Bearer )[0-9a-f]{0,64}$/),
      fc.constantFrom(hmac(''), hmac('{}', `${SECOND}.`), `t=${SECOND},v1=${hmac('')}`),
    );
    const values = fc.record(
      {
        authorization: signature,
        'x-service-timestamp': fc.oneof(fc.constant(String(SECOND)), signature),
        'x-service-signature': signature,
        'x-hub-signature-256': signature,
        'stripe-signature': signature,
        'x-slack-request-timestamp': fc.oneof(fc.constant(String(SECOND)), signature),
        'x-slack-signature': signature,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(modes, values, bytes, (mode, headers, body) => {
        const isSigned = ['', '{}'].includes(Buffer.from(body).toString());
        const sent = isSigned ? Buffer.from('x') : Buffer.from(body);
        expect(verdict(mode, headers as Record<string, string>, sent)).toBe(REFUSED);
      }),
      { numRuns: 500 },
    );
  });

  it('becomes a payload that JSON and the database store unchanged', () => {
    fc.assert(
      fc.property(modes, types, bytes, (mode, type, body) => {
        const payload = webhookPayload(Buffer.from(body), type, mode);
        expect(JSON.parse(JSON.stringify(payload))).toEqual(payload);
        expect(JSON.stringify(payload)).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      }),
      { numRuns: 500 },
    );
  });
});
