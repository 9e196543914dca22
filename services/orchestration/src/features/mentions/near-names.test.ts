import { nearNames } from './near-names';

const NAMES = ['Ada', 'Grace Hopper', 'QA-Bot', 'Al', 'Zoë', 'Max Power'];

describe('nearNames', () => {
  it.each([
    ['adda', ['Ada']],
    ['aad', ['Ada']],
    ['ad', []],
    ['adamant', []],
    ['grace', ['Grace Hopper']],
    ['hopper', ['Grace Hopper']],
    ['gracehoper', ['Grace Hopper']],
    ['grace-hoppr', ['Grace Hopper']],
    ['qabto', ['QA-Bot']],
    ['zoe', ['Zoë']],
    ['all', []],
    ['override', []],
    ['types', []],
    ['nobody', []],
  ])('given %s, returns the names %j', (handle, expected) =>
    expect(nearNames(handle, NAMES)).toEqual(expected),
  );

  it('returns at most three names, the nearest first', () => {
    const names = ['Anne-Marie', 'Annemarie', 'Annamaria', 'Annemari', 'Annemara'];
    expect(nearNames('annemarie', [...names].reverse())).toHaveLength(3);
    expect(nearNames('annemara', names)[0]).toBe('Annemara');
  });

  it('returns three names even from 2,000 long names', () => {
    const names = Array.from({ length: 2_000 }, (_, at) => `${'x'.repeat(60)}${at}`);
    expect(nearNames('x'.repeat(61), names)).toHaveLength(3);
  });
});
