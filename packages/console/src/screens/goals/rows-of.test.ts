import { rowsOf } from './rows-of';

const goal = (id: string, parentId: string | null = null) => ({ id, parentId, title: id });
const shown = (...goals: ReturnType<typeof goal>[]) =>
  rowsOf(goals).map(({ id, depth }) => `${' '.repeat(depth)}${id}`);

describe('rowsOf', () => {
  it('places sub-goals below their parent and sorts siblings alphabetically', () => {
    expect(shown(goal('b'), goal('z', 'a'), goal('a'), goal('y', 'a'), goal('x', 'z'))).toEqual([
      'a',
      ' y',
      ' z',
      '  x',
      'b',
    ]);
  });

  it('places a goal with an unknown parent at the top', () => {
    expect(shown(goal('a', 'gone'))).toEqual(['a']);
  });
});
