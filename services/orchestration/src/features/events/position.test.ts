import { formatPosition, isBefore, parsePosition } from './position';

describe('event positions', () => {
  it('stay the same after they are formatted and parsed', () => {
    const at = { transaction: 742n, sequence: 15n };
    expect(formatPosition(at)).toBe('742-15');
    expect(parsePosition('742-15')).toEqual(at);
  });

  it.each([
    '',
    '1',
    '1-',
    '-1',
    '1-2-3',
    'a-1',
    '1.5-1',
    ' 1-1',
    '1-1 ',
    '1-1\n',
    `${'9'.repeat(19)}-1`,
  ])('cannot be parsed from %j', (text) => expect(parsePosition(text)).toBeNull());

  it('sort by transaction first, then by sequence', () => {
    const at = (transaction: bigint, sequence: bigint) => ({ transaction, sequence });
    expect(isBefore(at(1n, 9n), at(2n, 1n))).toBe(true);
    expect(isBefore(at(2n, 1n), at(1n, 9n))).toBe(false);
    expect(isBefore(at(1n, 1n), at(1n, 2n))).toBe(true);
    expect(isBefore(at(1n, 1n), at(1n, 1n))).toBe(false);
  });
});
