import { inexactNumber, parseExactly } from './exact-json';

describe('parseExactly and inexactNumber', () => {
  it.each<[string, unknown, (string | number)[] | null]>([
    ['{"id":9007199254740993}', { id: '9007199254740993' }, ['id']],
    [
      '{"a":[1,{"b c":-9007199254740993}]}',
      { a: [1, { 'b c': '-9007199254740993' }] },
      ['a', 1, 'b c'],
    ],
    ['[1e400,1e308]', ['1e400', 1e308], [0]],
    ['12345678901234567890', '12345678901234567890', []],
    ['[0.1234567890123456789]', ['0.1234567890123456789'], [0]],
    ['{"price":12345678901234.567}', { price: '12345678901234.567' }, ['price']],
    ['[1e-400,0.0e9]', ['1e-400', 0], [0]],
    [
      '[9007199254740991,1.5,1E2,-0.30000000000000004,0.10000000000000001,1.50000000000000000,5e-324]',
      [9007199254740991, 1.5, 100, -0.30000000000000004, 0.1, 1.5, 5e-324],
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
  ])('find the numbers in %s that would lose digits', (text, exact, path) => {
    expect(parseExactly(text)).toEqual(exact);
    expect(inexactNumber(text, JSON.parse(text))).toEqual(path);
  });

  it('find a number that would lose digits at any depth', () => {
    const text = `${'['.repeat(50_000)}9007199254740993${']'.repeat(50_000)}`;
    expect(inexactNumber(text, JSON.parse(text))).toHaveLength(50_000);
  });
});
