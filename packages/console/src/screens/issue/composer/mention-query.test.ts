import { completed, matching, mentionAt } from './mention-query';

describe('mentionAt', () => {
  it.each([
    ['@', 1, { from: 0, query: '' }],
    ['Hi @gr', 6, { from: 3, query: 'gr' }],
    ['Hi @Grace Ho', 12, { from: 3, query: 'Grace Ho' }],
    ['(@a', 3, { from: 1, query: 'a' }],
  ])('finds the mention in %j at the caret position %i', (text, caret, typed) => {
    expect(mentionAt(text, caret)).toEqual(typed);
  });

  it.each([
    ['mail@example', 12],
    ['@@a', 3],
    ['@ada\nnext', 9],
    ['@ada  x', 7],
    ['no', 2],
    ['@a', 0],
    [`@${'a'.repeat(80)}`, 81],
  ])('finds no mention in %j at the caret position %i', (text, caret) => {
    expect(mentionAt(text, caret)).toBeUndefined();
  });
});

it('matching() ignores letter case, and lists first the names with a word that begins with the text', () => {
  const all = ['Mia', 'Grace Hopper', 'Hope', 'Ephoria'].map((name) => ({ name }));
  expect(matching(all, 'HOP').map(({ name }) => name)).toEqual(['Grace Hopper', 'Hope']);
  expect(matching(all, 'ho').map(({ name }) => name)).toEqual(['Grace Hopper', 'Hope', 'Ephoria']);
});

it('completed() replaces the typed text with the whole name', () => {
  expect(completed('Hi @gr', { from: 3, query: 'gr' }, 'Grace Hopper')).toEqual({
    text: 'Hi @Grace Hopper ',
    caret: 17,
  });
  expect(completed('@a, go', { from: 0, query: 'a' }, 'Ada')).toEqual({
    text: '@Ada, go',
    caret: 4,
  });
});
