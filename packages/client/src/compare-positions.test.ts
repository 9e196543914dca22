import { comparePositions } from './compare-positions';

describe('comparePositions', () => {
  it('compares the first numbers and then the second numbers, even above MAX_SAFE_INTEGER', () => {
    const ordered = ['9-1', '10-0', '10-2', '10-11', '9007199254740993-1', '9007199254740994-0'];
    const mixed = [...ordered].reverse();
    expect(mixed.sort(comparePositions)).toEqual(ordered);
    expect(comparePositions('10-2', '10-2')).toBe(0);
  });
});
