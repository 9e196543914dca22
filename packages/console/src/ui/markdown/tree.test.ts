import { type Node, treeOf } from './tree';

const kinds = (nodes: readonly Node[]): unknown[] =>
  nodes.map(({ kind, children }) => (children.length > 0 ? [kind, ...kinds(children)] : kind));

describe('treeOf', () => {
  it('nests the elements that the parser returns', () => {
    expect(kinds(treeOf('# One\n\n- a *b*\n') ?? [])).toEqual([
      ['heading', ['inline', 'text']],
      ['bullet_list', ['list_item', ['paragraph', ['inline', 'text', ['em', 'text']]]]],
    ]);
  });

  it('recognises tasks and removes their markers', () => {
    const [list] = treeOf('- [x] done\n- [ ] open\n- none\n') ?? [];
    expect(list?.children.map(({ isDone }) => isDone)).toEqual([true, false, undefined]);
    expect(list?.children[0]?.children[0]?.children[0]?.children[0]?.text).toBe('done');
  });

  it('treats HTML as text', () => {
    const flat = JSON.stringify(treeOf('<script>alert(1)</script> <img src=x onerror=alert(1)>'));
    expect(flat).not.toContain('html_');
    expect(flat).toContain('<script>alert(1)</script>');
  });

  it('returns undefined for a text that is too long', () => {
    expect(treeOf('a'.repeat(60_001))).toBeUndefined();
  });

  it.each(['> ', '- ', '[', '*a_ ', '**a', '_a__b ', '![[]()', '1. '])(
    'parses deeply nested %j in linear time',
    (piece) => {
      expect(treeOf(piece.repeat(60_000 / piece.length))).toBeDefined();
    },
  );
});
