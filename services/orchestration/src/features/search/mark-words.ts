interface Sought {
  word: string;
  isPrefix: boolean;
}

type Hit = [from: number, to: number];

export function markWords(text: string, sought: readonly Sought[]): Hit[] {
  if (sought.length === 0) return [];
  const { folded, places } = foldWithPlaces(text);
  const found = folded.matchAll(patternOf(sought));
  return [...found].map(({ index, 0: word }) => [
    placeAt(places, index),
    placeAt(places, index + word.length),
  ]);
}

export function snippetOf(
  text: string,
  sought: readonly Sought[],
): { snippet: string; hits: Hit[] } {
  const line = text.replace(/\s/g, ' ');
  const hits = markWords(line, sought);
  const first = hits[0]?.[0] ?? 0;
  const from = first <= BEFORE ? 0 : wholeFrom(line, first - BEFORE);
  const to = wholeTo(line, from + LENGTH);
  const start = from > 0 ? '… ' : '';
  const end = to < line.length ? ' …' : '';
  const shift = start.length - from;
  return {
    snippet: `${start}${line.slice(from, to)}${end}`,
    hits: hits
      .filter((hit) => hit[0] >= from && hit[1] <= to)
      .map((hit) => [hit[0] + shift, hit[1] + shift]),
  };
}

const LENGTH = 200;
const BEFORE = 60;

function wholeFrom(line: string, at: number): number {
  const blank = line.indexOf(' ', at);
  return blank >= 0 && blank < at + BEFORE / 2 ? blank + 1 : whole(line, at);
}

function wholeTo(line: string, at: number): number {
  if (at >= line.length) return line.length;
  const blank = line.lastIndexOf(' ', at);
  return blank > at - BEFORE / 2 ? blank : whole(line, at);
}

const whole = (line: string, at: number) => (/[\uDC00-\uDFFF]/.test(line[at] ?? '') ? at + 1 : at);

interface Folded {
  folded: string;
  places: number[] | null;
}

function foldWithPlaces(text: string): Folded {
  if (/^[\0-\x7f]*$/.test(text)) return { folded: text.toLowerCase(), places: null };
  let folded = '';
  const places: number[] = [];
  let at = 0;
  for (const point of text) {
    const letters = fold(point);
    for (let unit = 0; unit < letters.length; unit++) places.push(at);
    folded += letters;
    at += point.length;
  }
  places.push(at);
  return { folded, places };
}

const fold = (point: string) =>
  LIGATURES[point] ??
  point
    .normalize(/[！-～]/.test(point) ? 'NFKD' : 'NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

const LIGATURES: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
  ø: 'o',
  Ø: 'o',
  ł: 'l',
  Ł: 'l',
  đ: 'd',
  Đ: 'd',
};

const placeAt = (places: number[] | null, at: number) => places?.[at] ?? at;

function patternOf(sought: readonly Sought[]): RegExp {
  const words = sought.flatMap(({ word, isPrefix }) => {
    const { folded } = foldWithPlaces(word);
    const written = folded.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return folded === '' ? [] : [`${written}${isPrefix ? '[\\p{L}\\p{N}]*' : ''}`];
  });
  const any = words.length > 0 ? words.join('|') : '(?!)';
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'gu');
}
