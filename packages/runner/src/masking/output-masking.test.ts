import { LINEAR, timesLonger } from '@switchyard/testing';
import fc from 'fast-check';
import { createMasker } from './output-masking';
import { listSecretForms } from './secret-forms';

function mask(secrets: string[], chunks: (string | Buffer)[]): string {
  const masker = createMasker(secrets);
  const written = chunks.map((chunk) => masker.write(Buffer.from(chunk)));
  return Buffer.concat([...written, masker.end()]).toString('latin1');
}

function cutAt(input: Buffer, cuts: number[]): Buffer[] {
  const borders = [0, ...cuts.map((cut) => cut % (input.length + 1)), input.length].sort(
    (a, b) => a - b,
  );
  return borders.slice(1).map((to, index) => input.subarray(borders[index], to));
}

const SECRET = 'p@ss/"w o+rd\n<é>';
const ENCODED: [string, string][] = [
  ['plain', SECRET],
  ['base64', Buffer.from(SECRET).toString('base64')],
  ['base64url', Buffer.from(SECRET).toString('base64url')],
  ['URL component', encodeURIComponent(SECRET)],
  [
    'URL component, small',
    encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ['form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
  ['JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['JSON in ASCII', JSON.stringify(SECRET).slice(1, -1).replace('é', '\\u00e9')],
  ['JSON with slashes', JSON.stringify(SECRET).slice(1, -1).replace('/', '\\/')],
];

test.each(ENCODED)(
  'createMasker() masks this form of a secret, even if it arrives byte by byte: %s',
  (_form, text) => {
    const line = Buffer.from(`before ${text} after`);
    expect(mask([SECRET], [line])).toBe('before *** after');
    expect(
      mask(
        [SECRET],
        [...line].map((byte) => Buffer.of(byte)),
      ),
    ).toBe('before *** after');
  },
);

test('createMasker() masks base64 of data that contains the secret, at every alignment', () => {
  const secret = 'correct-horse-battery';
  for (const prefix of ['', 'a', 'ab', 'abc']) {
    for (const suffix of ['', 'z', 'zz']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${prefix}${secret}${suffix}`).toString(encoding);
        const masked = mask([secret], [encoded]);
        expect(masked).toContain('***');
        expect(masked.replaceAll('***', '').length).toBeLessThanOrEqual(10);
      }
    }
  }
});

test('createMasker() writes one mask for overlapping secrets and two masks for adjacent secrets', () => {
  expect(mask(['abcd', 'cdef'], ['xabcdefx'])).toBe('x***x');
  expect(mask(['abcd', 'cdef'], ['xabcd', 'cdefx'])).toBe('x******x');
  expect(mask(['abcdefgh', 'cdef'], ['abcdefg!'])).toBe('ab***g!');
  expect(mask(['aaaa'], ['aaaaaaa'])).toBe('***');
});

test('createMasker() masks a secret even if its final newline is missing from the output', () => {
  expect(mask(['token-1234\n'], ['Bearer token-1234;'])).toBe('Bearer ***;');
});

test('createMasker() does not mask secrets of fewer than 4 characters', () => {
  expect(mask(['abc', ''], ['abc abc'])).toBe('abc abc');
  expect(mask([], ['abc'])).toBe('abc');
});

test('createMasker() delays only bytes that may begin a secret', () => {
  const masker = createMasker(['secret']);
  expect(masker.write(Buffer.from('hello sec')).toString()).toBe('hello ');
  expect(masker.write(Buffer.from('ond')).toString()).toBe('second');
  expect(masker.write(Buffer.from('s')).toString()).toBe('');
  expect(masker.end().toString()).toBe('s');
  expect(masker.write(Buffer.from('secret')).toString()).toBe('***');
});

test('createMasker() passes binary bytes unchanged', () => {
  const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
  expect(mask(['secret'], [bytes])).toBe(bytes.toString('latin1'));
});

function maskSlowly(secrets: string[], input: Buffer): string {
  const found = listSecretForms(secrets).flatMap((form) => {
    const spans: [number, number][] = [];
    for (let at = input.indexOf(form); at >= 0; at = input.indexOf(form, at + 1)) {
      spans.push([at, at + form.length]);
    }
    return spans;
  });
  let out = '';
  let done = 0;
  for (const [from, to] of found.sort((a, b) => a[0] - b[0])) {
    if (from >= done) out += `${input.toString('latin1', done, from)}***`;
    done = Math.max(done, to);
  }
  return out + input.toString('latin1', done);
}

const secretText = fc
  .array(fc.constantFrom('a', 'b', 'ab', '/', '"', ' ', 'é', '\n', '%'), {
    minLength: 2,
    maxLength: 9,
  })
  .map((parts) => parts.join(''));

test('createMasker() returns the same output as the reference implementation for any split into chunks, without any form of a secret', () => {
  const world = fc.array(secretText, { minLength: 1, maxLength: 4 }).chain((secrets) => {
    const forms = listSecretForms(secrets).map((form) => form.toString());
    const pieces = fc.constantFrom(
      'a',
      'b',
      'x',
      'é',
      ...forms,
      ...forms.map((form) => form.slice(0, -1)),
    );
    return fc.tuple(fc.constant(secrets), fc.array(pieces, { maxLength: 20 }), fc.array(fc.nat()));
  });
  fc.assert(
    fc.property(world, ([secrets, pieces, cuts]) => {
      const input = Buffer.from(pieces.join(''));
      const masked = mask(secrets, cutAt(input, cuts));
      expect(masked).toBe(maskSlowly(secrets, input));
      const rest = masked.split('***').map((part) => Buffer.from(part, 'latin1'));
      for (const form of listSecretForms(secrets)) {
        expect(rest.some((part) => part.includes(form))).toBe(false);
      }
    }),
    { numRuns: 300 },
  );
});

describe('createMasker() in linear time', () => {
  const MEGABYTE = 1 << 20;

  const fifty = Array.from(
    { length: 50 },
    (_, index) => `sk-${index}-${'Zz/+ é'.repeat(8)}${index}`,
  );

  test.each<[string, string[], Buffer]>([
    ['fifty secrets, text', fifty, Buffer.alloc(MEGABYTE, 'The quick brown fox jumps. sk-1 ')],
    ['fifty secrets, text of secrets only', fifty, Buffer.alloc(MEGABYTE, fifty.join(''))],
    ['a near match at every byte', [`${'a'.repeat(20_000)}b`], Buffer.alloc(MEGABYTE, 'a')],
    ['one byte', ['aaaaaaaa'], Buffer.alloc(MEGABYTE, 'a')],
  ])('masks 1 MiB in linear time: %s', (_what, secrets, input) => {
    const mask = (bytes: number) => {
      const masker = createMasker(secrets);
      masker.write(input.subarray(0, bytes));
      masker.end();
    };
    expect(timesLonger(mask, MEGABYTE)).toBeLessThan(LINEAR);
  });

  test('masks a long secret that arrives byte by byte', () => {
    const mask = (bytes: number) => {
      const masker = createMasker(['x'.repeat(30_000)]);
      let early = 0;
      for (let round = 0; round < bytes; round++) early += masker.write(Buffer.from('x')).length;
      expect(early).toBe(0);
      expect(masker.end().length).toBe(bytes);
    };
    expect(timesLonger(mask, 29_990)).toBeLessThan(LINEAR);
  });
});
