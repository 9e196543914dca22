import {
  appended,
  EMPTY_WINDOW,
  type LogWindow,
  prepended,
  rowAt,
  windowFrom,
  windowTo,
} from './log-window';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

function partsOf(text: string, ...cuts: number[]) {
  const ends = [...cuts, text.length];
  return ends.map((end, index) => {
    const start = ends[index - 1] ?? 0;
    const from = bytesOf(text.slice(0, start));
    const part = text.slice(start, end);
    return { from, to: from + bytesOf(part), text: part };
  });
}

describe('LogWindow', () => {
  const text = 'one\ntwo größer\nthree\n';
  const [a, b, c] = partsOf(text, 6, 12) as [never, never, never];

  it('joins a line that is split between two parts, at either end of the window', () => {
    const lines = text.split('\n');
    const forward = [a, b, c].reduce<LogWindow>(appended, EMPTY_WINDOW);
    expect(forward.rows).toEqual(lines);
    const backward = [c, b, a].reduce<LogWindow>(prepended, EMPTY_WINDOW);
    expect(backward.rows).toEqual(lines);
    expect([windowFrom(backward), windowTo(backward)]).toEqual([0, bytesOf(text)]);
  });

  it('keeps row numbers when rows are added before existing rows', () => {
    const later = appended(EMPTY_WINDOW, c);
    const earlier = prepended(prepended(later, b), a);
    const numberOf = (window: LogWindow, row: string) => window.firstRow + window.rows.indexOf(row);
    expect(numberOf(earlier, 'three')).toBe(numberOf(later, 'three'));
  });

  it('splits very long lines, but never a surrogate pair', () => {
    const long = `${'x'.repeat(1_999)}🙂${'y'.repeat(5_000)}`;
    const { rows } = appended(EMPTY_WINDOW, { from: 0, to: bytesOf(long), text: long });
    expect(rows.join('')).toBe(long);
    expect(rows.every((row) => row.length <= 2_000 && row.isWellFormed())).toBe(true);
  });

  it('drops the farthest part when the window exceeds its size limit', () => {
    const line = `${'z'.repeat(99)}\n`;
    const part = (index: number) => ({
      from: index * 1_000_000,
      to: (index + 1) * 1_000_000,
      text: line.repeat(10_000),
    });
    const window = [0, 1, 2, 3].map(part).reduce<LogWindow>(appended, EMPTY_WINDOW);
    expect([windowFrom(window), windowTo(window)]).toEqual([2_000_000, 4_000_000]);
    expect(window.firstRow).toBe(20_000);
    const back = prepended(window, part(1));
    expect([windowFrom(back), windowTo(back)]).toEqual([1_000_000, 3_000_000]);
    expect(back.firstRow).toBe(10_000);
  });

  it('returns the row of a byte position', () => {
    const window = [a, b, c].reduce<LogWindow>(appended, EMPTY_WINDOW);
    expect(rowAt(window, 0)).toBe(0);
    expect(rowAt(window, bytesOf('one\ntwo grö'))).toBe(1);
    expect(rowAt(window, bytesOf('one\ntwo größer\nth'))).toBe(2);
    expect(rowAt(window, bytesOf(text) + 1)).toBeUndefined();
  });
});
