import { z } from 'zod';
import { wholeNumber } from './environment';
import { environmentLists, environmentNames, withTable } from './environment-table';

const groups = {
  '': {
    A: wholeNumber(1, 9).default(5).describe('the first'),
    LONGER: z.string().describe('the second'),
    C: z.string().optional().describe('the third'),
  },
  Others: {
    D: z.array(z.string()).default([]).describe('the fourth'),
    PATH: z.string().optional(),
  },
};

describe('environmentLists', () => {
  it('returns one list per group, with the default and the meaning of every variable', () => {
    expect(environmentLists({ groups, authenticated: { C: z.string() } })).toBe(
      [
        '- `A` (`5`): the first',
        '- `LONGER` (required): the second',
        '- `C` (required in authenticated mode): the third',
        '',
        '### Others',
        '',
        '- `D`: the fourth',
      ].join('\n'),
    );
    expect(environmentNames({ groups })).toEqual(['A', 'LONGER', 'C', 'D', 'PATH']);
  });

  it('refuses a variable without a description', () => {
    const nameless = { groups: { '': { E: z.string() } } };
    expect(() => environmentLists(nameless)).toThrow(/^E has no .describe/);
  });

  it('withTable replaces only the text between the markers of a page', () => {
    const page = 'a\n<!-- x: written by `npm run format` -->\nold\n<!-- end of x -->\nb';
    const written = withTable(page, 'x', 'new');
    expect(written).toBe(
      'a\n<!-- x: written by `npm run format` -->\n\nnew\n\n<!-- end of x -->\nb',
    );
    expect(withTable(written, 'x', 'new')).toBe(written);
    expect(() => withTable(page, 'y', 'new')).toThrow(
      'the document must contain the markers for y',
    );
  });
});
