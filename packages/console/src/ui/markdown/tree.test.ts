import { type Node, treeOf } from './tree';

const kinds = (nodes: readonly Node[]): unknown[] =>
  nodes.map(({ kind, children }) => (children.length > 0 ? [kind, ...kinds(children)] : kind));

describe('treeOf', () => {
  it('nests what the parser finds', () => {
    expect(kinds(treeOf('# One\n\n- a *b*\n') ?? [])).toEqual([
      ['heading', ['inline', 'text']],
      ['bullet_list', ['list_item', ['paragraph', ['inline', 'text', ['em', 'text']]]]],
    ]);
  });

  it('knows tasks and takes their mark off', () => {
    const [list] = treeOf('- [x] done\n- [ ] open\n- none\n') ?? [];
    expect(list?.children.map(({ isDone }) => isDone)).toEqual([true, false, undefined]);
    expect(list?.children[0]?.children[0]?.children[0]?.children[0]?.text).toBe('done');
  });

  it('takes HTML as text', () => {
    const flat = JSON.stringify(treeOf('<script>alert(1)</script> <img src=x onerror=alert(1)>'));
    expect(flat).not.toContain('html_');
    expect(flat).toContain('<script>alert(1)</script>');
  });

  it('leaves a text that is too long unparsed', () => {
    expect(treeOf('a'.repeat(60_001))).toBeUndefined();
  });

  it.each(['> ', '- ', '[', '*a_ ', '**a', '_a__b ', '![[]()', '1. '])(
    'parses %j without end',
    (piece) => {
      expect(treeOf(piece.repeat(60_000 / piece.length))).toBeDefined();
    },
  );
});
