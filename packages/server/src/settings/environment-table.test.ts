import { z } from 'zod';
import { wholeNumber } from './environment';
import { environmentTable, withTable } from './environment-table';

const names = {
  A: wholeNumber(1, 9).default(5).describe('the first'),
  LONGER: z.string().describe('the second'),
  C: z.string().optional().describe('the third'),
  D: z.array(z.string()).default([]).describe('the fourth'),
  PATH: z.string().optional(),
};

describe('the table of an environment', () => {
  it('says of every variable what it means and what stands in for it', () => {
    expect(environmentTable({ names, authenticated: { C: z.string() } })).toBe(
      [
        '| variable | default                        | meaning    |',
        '| -------- | ------------------------------ | ---------- |',
        '| `A`      | `5`                            | the first  |',
        '| `LONGER` | required                       | the second |',
        '| `C`      | required in authenticated mode | the third  |',
        '| `D`      |                                | the fourth |',
      ].join('\n'),
    );
  });

  it('is refused for a variable that says nothing of itself', () => {
    expect(() => environmentTable({ names: { E: z.string() } })).toThrow(/^E has no .describe/);
  });

  it('goes between its marks and nowhere else', () => {
    const page = 'a\n<!-- x: written by `npm run format` -->\nold\n<!-- end of x -->\nb';
    const written = withTable(page, 'x', 'new');
    expect(written).toBe(
      'a\n<!-- x: written by `npm run format` -->\n\nnew\n\n<!-- end of x -->\nb',
    );
    expect(withTable(written, 'x', 'new')).toBe(written);
    expect(() => withTable(page, 'y', 'new')).toThrow('the document has no place for y');
  });
});
