import { LINEAR, timesLonger } from '@switchyard/testing';
import { extractLegacyPlan } from './get-issue';

describe('extractLegacyPlan', () => {
  it.each([
    ['<plan>do it</plan>', 'do it'],
    ['before <plan>\n1. a\n2. b\n</plan> after', '1. a\n2. b'],
    ['<PLAN>loud</Plan>', 'loud'],
    ['<plan>first</plan><plan>second</plan>', 'first'],
    ['</plan><plan>x</plan>', 'x'],
    ['<plan><plan>nested</plan></plan>', '<plan>nested'],
    [
      'İİİ<plan>after letters that grow in lower case</plan>',
      'after letters that grow in lower case',
    ],
    ['<plan>never closed', null],
    ['never opened</plan>', null],
    ['<plan>  \n </plan>', null],
    ['<plan >not one</plan>', null],
    ['no block', null],
    ['', null],
    [null, null],
  ])('given the description %p, extracts the plan %p', (description, plan) => {
    expect(extractLegacyPlan(description)).toBe(plan);
  });

  it.each(['<plan>', '<plan></plan', '<', '</plan>', ' '])(
    'takes linear time for many unclosed tags: %p',
    (unit) => {
      const read = (size: number) => {
        extractLegacyPlan(unit.repeat(Math.ceil(size / unit.length)));
        extractLegacyPlan(`<plan>${unit.repeat(Math.ceil(size / unit.length))}`);
      };
      expect(timesLonger(read, 1_000_000)).toBeLessThan(LINEAR);
    },
  );
});
