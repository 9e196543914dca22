import { parseLines, plainText } from './ansi';

const textOf = (line: string) =>
  parseLines([line])
    .flat()
    .map(({ text }) => text)
    .join('');

describe('parseLines and plainText', () => {
  it('use one class per colour, and no class after the colour ends', () => {
    expect(parseLines(['\x1b[31mred\x1b[0m plain \x1b[1;32mgreen\x1b[m'])).toEqual([
      [
        { text: 'red', className: 'ansi-red' },
        { text: ' plain ', className: '' },
        { text: 'green', className: 'ansi-green font-semibold' },
      ],
    ]);
  });

  it('begin with the colour of the previous line', () => {
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
  ])('show %j in a colour that is readable in both themes', (code, className) => {
    expect(parseLines([`${code}x`])).toEqual([[{ text: 'x', className }]]);
  });

  it.each([
    ['a title', '\x1b]0;title\x07text', 'text'],
    ['a title without an end', '\x1b]0;title', ''],
    ['a link', '\x1b]8;;javascript:alert(1)\x1b\\click\x1b]8;;\x1b\\', 'click'],
    ['an erase sequence', '\x1b[2J\x1b[Htext', 'text'],
    ['a device control string', '\x1bPq#0\x1b\\text', 'text'],
    ['a lone escape', 'a\x1b', 'a'],
    ['an escape of two characters', '\x1bcab', 'ab'],
    ['a private mode', '\x1b[?25ltext', 'text'],
    ['an invalid colour', '\x1b[38;5mtext', 'text'],
    ['a bell', 'a\x07b', 'ab'],
    ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('show the text of %s without its codes', (_name, line, shown) => {
    expect(textOf(line)).toBe(shown);
  });

  it('escape characters that change the text direction or have no width', () => {
    expect(textOf('a\u202eb\u200bc')).toBe('a\\u{202e}b\\u{200b}c');
    expect(textOf('a\u200db \u200c')).toBe('a\\u{200d}b \\u{200c}');
  });

  it('keep joiners that shape letters or combine emoji', () => {
    expect(textOf('می\u200cخواهم 👨\u200d👩\u200d👧')).toBe('می\u200cخواهم 👨\u200d👩\u200d👧');
  });

  it('show only the last text of a line that overwrites itself', () => {
    expect(textOf('10 %\r50 %\r100 %')).toBe('100 %');
    expect(textOf('windows\r')).toBe('windows');
  });

  it('remove the codes from text for search and copy', () => {
    expect(plainText('\x1b[31mred\x1b[0m 1\r\x1b]0;t\x072')).toBe('2');
    expect(plainText('plain')).toBe('plain');
  });
});
