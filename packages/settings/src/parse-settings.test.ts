import { parseSettings } from './parse-settings';

describe('parseSettings', () => {
  it.each([
    ['A=1\r\nB = two # comment\r\n', { A: '1', B: 'two' }],
    ['export A=1\n# B=2\n\n  C="a # b"\n', { A: '1', C: 'a # b' }],
    ['A="line one\nB=2\n# three"\nC=3', { A: 'line one\nB=2\n# three', C: '3' }],
    ["A='a+b/c=='\nB=\n", { A: 'a+b/c==', B: '' }],
  ])('reads %j', (text, variables) => {
    expect(parseSettings(text)).toEqual({ variables, unreadable: [], cut: [] });
  });

  it.each([
    ['A=1\nAUTH_MODE authenticated\nB=2', [2]],
    ['AUTH_MODE: authenticated', [1]],
    ['A="1\n2"\n=x\nB', [3, 4]],
  ])('given %j, returns the numbers of the lines that are not settings', (text, unreadable) => {
    expect(parseSettings(text).unreadable).toEqual(unreadable);
  });

  it.each(['a#b', '#b', 'a#b # c'])(
    'reports a variable whose value is cut off at a number sign, as in %s',
    (value) => {
      expect(parseSettings(`A=${value}`).cut).toEqual(['A']);
    },
  );

  it.each(['a # b#c', '"a#b"', "'#'", '`a#b`', ' # b', 'a'])(
    'does not cut off the value %s',
    (value) => {
      expect(parseSettings(`A=${value}`).cut).toEqual([]);
    },
  );
});
