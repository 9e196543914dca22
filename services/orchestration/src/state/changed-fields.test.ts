import { changedFields } from './changed-fields';

describe('changedFields', () => {
  it.each([
    ['a date', new Date('2026-12-24'), new Date('2026-12-24')],
    ['a date and its day', new Date('2026-12-24'), '2026-12-24'],
    [
      'a date and the same time with a UTC offset',
      new Date('2026-12-24T10:00:00Z'),
      '2026-12-24T11:00:00+01:00',
    ],
    ['a date as text and as a date', '2026-12-24', new Date('2026-12-24')],
    ['an object', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ['null', null, null],
  ])('omits a field with equal values: %s', (_what, before: unknown, wanted: unknown) => {
    expect(changedFields({ field: before }, { field: wanted })).toEqual([]);
  });

  it.each([
    ['another day', new Date('2026-12-24'), '2026-12-25'],
    ['another date', new Date('2026-12-24'), new Date('2026-12-25')],
    ['a date that becomes null', new Date('2026-12-24'), null],
    ['null that becomes a date', null, '2026-12-24'],
    ['a date and text that is not a date', new Date('2026-12-24'), 'soon'],
    ['an object that lost a field', { a: 1, b: 2 }, { a: 1 }],
  ])('contains a field with a different value: %s', (_what, before: unknown, wanted: unknown) => {
    expect(changedFields({ field: before, left: 1 }, { field: wanted })).toEqual(['field']);
  });
});
