import { DEBT, MOST_COMMENTS } from './plain-english-debt';
import { readRepository } from './read-repository';
import type { SourceFile } from './source-rules';
import { commentsOf, describeFinding, type Finding, partOf, plainEnglish } from './text-rules';

const QUOTES = /\/(?:text-rules|plain-english[\w.-]*)\.ts$/;

function aboveDebt(files: SourceFile[], debt: Record<string, number>): string[] {
  const parts = new Map<string, Finding[]>();
  for (const found of files.flatMap(plainEnglish)) {
    const part = partOf(found.path);
    parts.set(part, [...(parts.get(part) ?? []), found]);
  }
  return [...parts].flatMap(([part, found]) => {
    const allowed = debt[part] ?? 0;
    if (found.length <= allowed) return [];
    return [`${part}: ${found.length} found, ${allowed} allowed`, ...found.map(describeFinding)];
  });
}

describe('the texts of the repository', () => {
  const files = readRepository().filter(({ path }) => !QUOTES.test(path));

  it('break the rules at most as often as DEBT allows per part of the repository', () => {
    expect(aboveDebt(files, DEBT)).toEqual([]);
  });

  it('include at most MOST_COMMENTS comments', () => {
    expect(files.flatMap(commentsOf).length).toBeLessThanOrEqual(MOST_COMMENTS);
  });

  it.each([
    ['a.ts', "// What a month's spend calls for.", 'beginning of a comment'],
    ['a.ts', '/** Whether the run waits. */', 'beginning of a comment'],
    [
      'a.ts',
      '/**\n * Of a caller that has gone: it would never know.\n */',
      'beginning of a comment',
    ],
    ['a.sql', '-- As its end would.\nSELECT 1;', 'beginning of a comment'],
    ['a.ts', '// The API takes writes of its own pages alone.', '"alone" for "only"'],
    ['a.ts', '// Streams are told afterwards.', '"told" for reported, notified'],
    ['a.yaml', '# Three attempts a run.\na: 1', '"a" for "per"'],
    ['a.test.ts', "it('is released at the cost of an attempt', run);", 'beginning of a test name'],
    ['a.test.ts', "it.each(CASES)('of an earlier month', run);", 'beginning of a test name'],
    ['a.ts', "throw new Error('after: is no comment of this issue');", '"is no" for "is not a"'],
    ['a.ts', "throw new Error('what no company has cannot be read');", 'beginning of a message'],
    ['a.md', 'It is asked for anew.', '"anew" for "again"'],
    ['a.md', 'Perpetuals beside them.', '"beside" for "next to", "in addition to"'],
    ['a.md', 'Nobody reads it.', 'an actor without a name'],
    ['a.ts', `${'// word\n'.repeat(20)}${'a();\n'.repeat(30)}`, 'share of comments'],
  ])('break a rule if %s contains %j: %s', (path, text, rule) => {
    expect(plainEnglish({ path, text }).map((found) => found.rule)).toContain(rule);
    expect(aboveDebt([{ path: `x/${path}`, text }], {})[0]).toBe('x: 1 found, 0 allowed');
    expect(aboveDebt([{ path: `x/${path}`, text }], { x: 1 })).toEqual([]);
  });

  it('appear in findings with their file, line and rule', () => {
    const text = 'a();\n\n// Told later.\n';
    expect(plainEnglish({ path: 'a.ts', text }).map(describeFinding)).toEqual([
      'a.ts:3: "told" for reported, notified: Told later.',
    ]);
  });

  it.each([
    ['a.ts', '// Claims the run. There is no lock to wait for; it is no longer needed.'],
    ['a.ts', "const url = 'https://example.com'; // What: a trailing note"],
    ['a.ts', "// Leaves it alone.\nawait expect(run).rejects.toThrow('told');"],
    ['a.ts', '// biome-ignore lint/a: what the tool asks for'],
    ['a.test.ts', "it('rejects a second claim with 409 checked_out', run);"],
    ['a.md', '```\nnobody\n```\nA `told` name and a [link](besides.md).'],
    ['a.yaml', '#!/bin/sh\na: told'],
  ])('break no rule if %s contains %j', (path, text) => {
    expect(plainEnglish({ path, text })).toEqual([]);
  });

  it('count consecutive line comments as one comment', () => {
    const text = '// One\n// sentence.\na();\n// Another.\n/** A third.\n * Continued. */\n';
    expect(commentsOf({ path: 'a.ts', text }).map((comment) => comment.text)).toEqual([
      'One sentence.',
      'Another.',
      'A third. Continued.',
    ]);
  });
});
