import { type Color, createAnsiSequenceParser, type ParseToken } from 'ansi-sequence-parser';

export interface Span {
  text: string;
  className: string;
}

/**
 * Removes titles, links, cursor movements, erasures and every other control sequence except
 * colours, so that a log can only colour its own text.
 */
export function parseLines(lines: readonly string[]): Span[][] {
  const parser = createAnsiSequenceParser();
  return lines.map((line) => spansOf(line, parser));
}

function spansOf(line: string, parser: ReturnType<typeof createAnsiSequenceParser>): Span[] {
  const kept = visible(lastWritten(line));
  return parser.parse(kept).map((token) => ({ text: token.value, className: classOf(token) }));
}

export const plainText = (line: string): string =>
  line.includes('\x1b') || line.includes('\r')
    ? lastWritten(line).replace(ANY_SEQUENCE, '').replace(COLOUR, '')
    : line;

function lastWritten(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf('\r') + 1);
}

function visible(line: string): string {
  if (!SUSPECT.test(line)) return line;
  return line
    .replace(ANY_SEQUENCE, '')
    .replaceAll('\x1b[m', '\x1b[0m')
    .replace(CONTROL, shown)
    .replace(JOINER, shown);
}

const shown = (character: string) => NAMES[character] ?? `\\u{${hexOf(character)}}`;
const hexOf = (character: string) => character.codePointAt(0)?.toString(16).padStart(4, '0');

/* biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are what is looked for */
const COLOUR = /\x1b\[[\d;]*m/g;
const ANY_SEQUENCE =
  /\x1b(?:\[(?![\d;]*m)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|(?!\[[\d;]*m)[\x20-\x2f]*[\x30-\x7e]?)/g;
const CONTROL =
  /(?!\x1b\[)[\0-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const JOINER =
  /(?!(?<=[\p{L}\p{M}])(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])[\u200c\u200d](?=[\p{L}\p{M}])|(?<=\p{ExtPict}|\p{EMod}|\ufe0f)\u200d(?=\p{ExtPict}))[\u200c\u200d]/gu;
const SUSPECT = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;
/* biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above */
const NAMES: Record<string, string> = { '\0': '␀', '\x07': '', '\b': '' };

function classOf({ foreground, background, decorations }: ParseToken): string {
  const isReversed = decorations.has('reverse');
  const colour = isReversed ? (background ?? foreground) : foreground;
  const names = [
    colour && `ansi-${nameOf(colour)}`,
    (isReversed || background) && 'ansi-marked',
    decorations.has('bold') && 'font-semibold',
    decorations.has('dim') && 'text-muted',
    decorations.has('italic') && 'italic',
    decorations.has('underline') && 'underline',
    decorations.has('strikethrough') && 'line-through',
  ];
  return names.filter(Boolean).join(' ');
}

type Tone = 'grey' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'plain';

function nameOf(colour: Color): Tone {
  if (colour.type === 'named')
    return NAMED[colour.name.replace('bright', '').toLowerCase()] ?? 'plain';
  if (colour.type === 'rgb') return nearest(colour.rgb);
  if (colour.index < 16) return TONES[colour.index % 8] ?? 'plain';
  if (colour.index >= 232) return 'grey';
  const cube = colour.index - 16;
  const parts = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  return nearest(parts.map((part) => (part === 0 ? 0 : 55 + 40 * part)));
}

const TONES: readonly Tone[] = [
  'grey',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'plain',
];
const NAMED: Record<string, Tone> = {
  ...Object.fromEntries(TONES.map((tone) => [tone, tone])),
  black: 'grey',
  white: 'plain',
};

function nearest([red = 0, green = 0, blue = 0]: readonly number[]): Tone {
  const most = Math.max(red, green, blue);
  if (most - Math.min(red, green, blue) < 40) return most > 170 ? 'plain' : 'grey';
  const [r, g, b] = [red, green, blue].map((part) => part > most / 2);
  const bits = (r ? 1 : 0) + (g ? 2 : 0) + (b ? 4 : 0);
  return TONES[bits] ?? 'plain';
}
