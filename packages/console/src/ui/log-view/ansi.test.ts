import { parseLines, plainText } from './ansi';

const textOf = (line: string) =>
  parseLines([line])
    .flat()
    .map(({ text }) => text)
    .join('');

describe('a line of a log', () => {
  it('has a class for each colour, and no colour after its end', () => {
    expect(parseLines(['\x1b[31mred\x1b[0m plain \x1b[1;32mgreen\x1b[m'])).toEqual([
      [
        { text: 'red', className: 'ansi-red' },
        { text: ' plain ', className: '' },
        { text: 'green', className: 'ansi-green font-semibold' },
      ],
    ]);
  });

  it('keeps the colour that the line before left on', () => {
    expect(parseLines(['\x1b[33mone', 'two'])[1]).toEqual([
      { text: 'two', className: 'ansi-yellow' },
    ]);
  });

  it.each([
    ['\x1b[38;5;208m', 'ansi-yellow'],
    ['\x1b[38;5;21m', 'ansi-blue'],
    ['\x1b[38;5;240m', 'ansi-grey'],
    ['\x1b[38;2;0;0;0m', 'ansi-grey'],
    ['\x1b[38;2;255;255;255m', 'ansi-plain'],
    ['\x1b[38;2;220;30;30m', 'ansi-red'],
    ['\x1b[95m', 'ansi-magenta'],
    ['\x1b[30m', 'ansi-grey'],
  ])('shows %j in a tone that both themes can show', (code, className) => {
    expect(parseLines([`${code}x`])).toEqual([[{ text: 'x', className }]]);
  });

  it.each([
    ['a title', '\x1b]0;title\x07text', 'text'],
    ['a title without an end', '\x1b]0;title', ''],
    ['a link', '\x1b]8;;javascript:alert(1)\x1b\\click\x1b]8;;\x1b\\', 'click'],
    ['an erasure', '\x1b[2J\x1b[Htext', 'text'],
    ['a device string', '\x1bPq#0\x1b\\text', 'text'],
    ['a lone escape', 'a\x1b', 'a'],
    ['an escape of two characters', '\x1bcab', 'ab'],
    ['a private mode', '\x1b[?25ltext', 'text'],
    ['a broken colour', '\x1b[38;5mtext', 'text'],
    ['a bell', 'a\x07b', 'ab'],
    ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('drops %s, or shows it as text', (_name, line, shown) => {
    expect(textOf(line)).toBe(shown);
  });

  it('shows marks that would turn the direction of what follows', () => {
    expect(textOf('a\u202eb\u200bc')).toBe('a\\u{202e}b\\u{200b}c');
    expect(textOf('a\u200db \u200c')).toBe('a\\u{200d}b \\u{200c}');
  });

  it('keeps joiners that shape letters or put emoji together', () => {
    expect(textOf('می\u200cخواهم 👨\u200d👩\u200d👧')).toBe('می\u200cخواهم 👨\u200d👩\u200d👧');
  });

  it('shows what a line that writes over itself said last', () => {
    expect(textOf('10 %\r50 %\r100 %')).toBe('100 %');
    expect(textOf('windows\r')).toBe('windows');
  });

  it('is searched and copied without its codes', () => {
    expect(plainText('\x1b[31mred\x1b[0m 1\r\x1b]0;t\x072')).toBe('2');
    expect(plainText('plain')).toBe('plain');
  });
});
