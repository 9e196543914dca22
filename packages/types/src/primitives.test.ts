import { z } from 'zod';
import {
  cents,
  commaList,
  id,
  isStorableText,
  jsonObject,
  longText,
  name,
  optionalText,
  pageQuery,
  text,
  timestamp,
  title,
} from './primitives';

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const nested = (depth: number, open: string, close: string, core: string) =>
  JSON.parse(open.repeat(depth) + core + close.repeat(depth)) as unknown;

describe('text', () => {
  const unstorable = ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800', 'x\ud83d'];

  it.each([text(10), optionalText(10), title, longText])(
    'refuses characters that PostgreSQL cannot store',
    (schema) => {
      for (const value of unstorable) expect(accepts(schema, value)).toBe(false);
      for (const value of ['a', '😀', 'ä\n\t', '\u202ea', '\uffff', 'a\u0001']) {
        expect(accepts(schema, value)).toBe(true);
        expect(isStorableText(value)).toBe(true);
      }
      for (const value of [null, undefined, 5, true, [], {}])
        expect(accepts(schema, value)).toBe(false);
    },
  );

  it('limits the number of characters, and returns the value unchanged', () => {
    expect(accepts(text(2), '😀😀')).toBe(true);
    expect(accepts(text(2), '😀😀😀')).toBe(false);
    expect(text(9).parse('  a b  ')).toBe('  a b  ');
  });

  it('must contain a visible character unless it is optional', () => {
    for (const value of [
      '',
      ' ',
      '\n\t ',
      '\u00a0',
      '\u200b',
      '\u3164 \u2800',
      '\u0001',
      '\u{e0020}',
    ]) {
      expect(accepts(text(10), value)).toBe(false);
      expect(accepts(optionalText(10), value)).toBe(true);
    }
  });
});

describe('name', () => {
  it('returns the name in NFC, without surrounding white space', () => {
    expect(name.parse(' Zoe\u0308\u00a0')).toBe('Zoë');
    for (const value of ['👨‍👩‍👧 QA', 'می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '☀️', "O'Brien & Söhne"])
      expect(name.parse(value)).toBe(value);
  });

  it.each([
    'a\nb',
    'a\tb',
    'a\u200bb',
    'a\u202eb',
    'a\u00adb',
    '\u2800',
    '\u200d',
    'a\u2028b',
    'a\0',
    '\ud800',
  ])('refuses %j', (value) => expect(accepts(name, value)).toBe(false));

  it('rejects a name of 500,000 combining marks', () => {
    expect(accepts(name, `a${'\u0301'.repeat(500_000)}`)).toBe(false);
  });
});

describe('the schemas of ids, times and money', () => {
  it.each(['', 'x', '018f4d5e-0000-7000-8000-00000000000', "' OR 1=1", '{}'])(
    'refuse the id %s',
    (value) => {
      expect(accepts(id, value)).toBe(false);
    },
  );

  it.each(['2026-11-21', 'now', '2026-13-01T00:00:00Z', '2026-11-21T00:00:00', '1e9'])(
    'refuse the time %s',
    (value) => expect(accepts(timestamp, value)).toBe(false),
  );

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 2 ** 53, '5', null])(
    'refuse the amount %p',
    (value) => {
      expect(accepts(cents, value)).toBe(false);
    },
  );

  it('accept valid values', () => {
    expect(accepts(timestamp, '2026-11-21T04:05:06.789Z')).toBe(true);
    expect(accepts(timestamp, '2026-11-21T04:05:06+02:00')).toBe(true);
    expect(accepts(id, '018F4D5E-7C3A-7B7B-8B7B-7B7B7B7B7B7B')).toBe(true);
    expect([0, 1, 1_000_000_000_000].every((value) => accepts(cents, value))).toBe(true);
  });
});

describe('jsonObject', () => {
  it('accepts an object with any JSON values, but no other value', () => {
    const value = { a: [1, null, true, { b: 'ü' }], 'c d': {} };
    expect(jsonObject.parse(value)).toEqual(value);
    for (const other of [[], null, 'x', 1, true, undefined]) {
      expect(accepts(jsonObject, other)).toBe(false);
    }
  });

  it('refuses unstorable text in keys and values at any depth', () => {
    for (const bad of ['\0', '\ud800']) {
      expect(accepts(jsonObject, { a: [{ b: [bad] }] })).toBe(false);
      expect(accepts(jsonObject, { a: [{ [bad]: 1 }] })).toBe(false);
    }
  });

  it('refuses __proto__, but accepts names such as constructor', () => {
    expect(accepts(jsonObject, JSON.parse('{"__proto__":{"polluted":1}}'))).toBe(false);
    expect(accepts(jsonObject, JSON.parse('{"a":[{"__proto__":1}]}'))).toBe(false);
    expect(accepts(jsonObject, { constructor: 1, toString: 2, hasOwnProperty: 3 })).toBe(true);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('accepts at most twenty levels of nesting', () => {
    expect(accepts(jsonObject, nested(20, '{"a":', '}', '1'))).toBe(true);
    expect(accepts(jsonObject, nested(21, '{"a":', '}', '1'))).toBe(false);
    expect(accepts(jsonObject, { a: nested(500_000, '[', ']', '') })).toBe(false);
    expect(accepts(jsonObject, nested(150_000, '{"a":', '}', '1'))).toBe(false);
  });

  it('visits every value of the object exactly once', () => {
    let looks = 0;
    const ownKeys = (target: object) => {
      looks += 1;
      return Reflect.ownKeys(target);
    };
    const watched = () => new Proxy({ a: 1 }, { ownKeys });
    const wide = Array.from({ length: 10_000 }, watched);
    expect(accepts(jsonObject, { wide })).toBe(true);
    expect(looks).toBe(10_000);
  });
});

describe('the schemas of query parameters', () => {
  it('split a list at commas, and accept only known words', () => {
    const list = commaList(['todo', 'done']);
    expect(list.parse('todo, done')).toEqual(['todo', 'done']);
    for (const bad of ['', ',', 'todo,', 'Todo', 'todo;done', 'x'.repeat(501)]) {
      expect(accepts(list, bad)).toBe(false);
    }
  });

  it('accept a page limit from 1 to 500', () => {
    const query = z.strictObject(pageQuery(50));
    expect(query.parse({})).toEqual({ limit: 50 });
    expect(query.parse({ limit: '500', cursor: 'x' })).toEqual({ limit: 500, cursor: 'x' });
    for (const limit of ['0', '501', '', ' 5', '5 ', '-1', '1.0', '1e2', '00001', 'abc']) {
      expect(accepts(query, { limit })).toBe(false);
    }
  });
});
