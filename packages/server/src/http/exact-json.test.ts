import { inexactNumber, parseExactly } from './exact-json';

describe('numbers of JSON that JavaScript cannot hold', () => {
  it.each<[string, unknown, (string | number)[] | null]>([
    ['{"id":9007199254740993}', { id: '9007199254740993' }, ['id']],
    [
      '{"a":[1,{"b c":-9007199254740993}]}',
      { a: [1, { 'b c': '-9007199254740993' }] },
      ['a', 1, 'b c'],
    ],
    ['[1e400,1e308]', ['1e400', 1e308], [0]],
    ['12345678901234567890', '12345678901234567890', []],
    [
      '[9007199254740991,1.5,0.1234567890123456789,1E2]',
      [9007199254740991, 1.5, 0.12345678901234568, 100],
      null,
    ],
    ['{"t":"9007199254740993 \\"1e400"}', { t: '9007199254740993 "1e400' }, null],
    ['{"12345678901234567890":1}', { '12345678901234567890': 1 }, null],
    ['{"a":1e400,"a":1}', { a: 1 }, null],
    [
      '{"__proto__":{"a":9007199254740993}}',
      JSON.parse('{"__proto__":{"a":"9007199254740993"}}'),
      ['__proto__', 'a'],
    ],
  ])('%s', (text, exact, path) => {
    expect(parseExactly(text)).toEqual(exact);
    expect(inexactNumber(text, JSON.parse(text))).toEqual(path);
  });

  it('is found as deep as JSON can be', () => {
    const text = `${'['.repeat(50_000)}9007199254740993${']'.repeat(50_000)}`;
    expect(inexactNumber(text, JSON.parse(text))).toHaveLength(50_000);
  });
});
