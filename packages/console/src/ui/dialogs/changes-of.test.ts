import { changesOf } from './changes-of';

describe('changesOf', () => {
  const stored = { title: 'Old', description: null, goalIds: ['a'] };

  it('returns only the fields that differ', () => {
    const typed = { title: 'New', description: null, goalIds: ['a'] };
    expect(changesOf(stored, typed)).toEqual({ title: 'New' });
  });

  it('returns a field that was emptied, and a changed list', () => {
    expect(changesOf(stored, { title: null, goalIds: [] } as never)).toEqual({
      title: null,
      goalIds: [],
    });
  });
});
