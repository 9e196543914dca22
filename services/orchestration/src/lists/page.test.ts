import { decodeCursor, encodeCursor } from './page';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const TIME = '2026-02-28T23:59:59.999Z';

describe('decodeCursor', () => {
  it('returns the values that encodeCursor received', () => {
    const cursor = [3, TIME, ID];
    expect(decodeCursor(encodeCursor(cursor), ['int', 'time', 'id'])).toEqual(cursor);
    expect(decodeCursor(undefined, ['id'])).toBeNull();
  });

  it.each([
    ['text that is not JSON', 'bm90IGpzb24', ['id']],
    ['an object', encodeCursor({} as never), ['id']],
    ['too many values', encodeCursor([ID, ID]), ['id']],
    ['a number instead of an id', encodeCursor([1]), ['id']],
    ['a time that only JavaScript accepts', encodeCursor(['1']), ['time']],
    ['a day that does not exist', encodeCursor(['2026-02-30T00:00:00.000Z']), ['time']],
    ['the year 0', encodeCursor(['0000-01-01T00:00:00.000Z']), ['time']],
    ['a year with six digits', encodeCursor(['+275760-09-13T00:00:00.000Z']), ['time']],
    ['the hour 24', encodeCursor(['2026-02-28T24:00:00.000Z']), ['time']],
    ['an integer beyond 32 bits', encodeCursor([2_147_483_648]), ['int']],
    ['a fraction', encodeCursor([0.5]), ['int']],
    ['an integer that is not exact in JavaScript', encodeCursor([2 ** 53]), ['bigint']],
    ['a string instead of a number', encodeCursor(['5']), ['bigint']],
  ] as const)('rejects %s', (_what, text, kinds) => {
    expect(() => decodeCursor(text, [...kinds])).toThrow('cursor');
  });
});
