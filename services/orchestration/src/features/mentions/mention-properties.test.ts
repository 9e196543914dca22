import fc from 'fast-check';
import { parseMentions } from './parse-mentions';
import { readCommentText } from './read-comment-text';
import { handlesOf } from './roster';

const word = fc.stringMatching(/^[A-Za-zÄÖÜäöüßé0-9]{1,8}$/);
const name = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', '-', '_'))
  .map(([words, between]) => words.join(between));

const distinctNames = fc.uniqueArray(name, { minLength: 2, maxLength: 8 }).filter((names) => {
  const handles = names.map(handlesOf);
  return handles.every((mine, at) =>
    handles.every((other, index) => at === index || !mine.some((one) => other.includes(one))),
  );
});

const spelling = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replace(/[ _]/g, '-'),
  (text: string) => text.replace(/[ -]/g, '_').toLowerCase(),
  (text: string) => text.replace(/[ _-]/g, ''),
  (text: string) => text.toUpperCase(),
  (text: string) => text.normalize('NFD'),
);

const prose = fc.constantFrom('See this', 'done.', 'Why?', '1 + 1', 'naïve', '*well*', '**so**');

type Wrap = (handle: string) => string;
const asText = fc.constantFrom<Wrap>(
  (handle) => `@${handle}`,
  (handle) => `**@${handle}**`,
  (handle) => `*@${handle}*`,
  (handle) => `(@${handle})`,
  (handle) => `@${handle}'s`,
  (handle) => `@${handle}, please`,
  (handle) => `> @${handle}`,
  (handle) => `- item\n- @${handle}`,
  (handle) => `### @${handle}`,
  (handle) => `| head |\n|------|\n| @${handle} |`,
);
const hidden = fc.constantFrom<Wrap>(
  (handle) => `\`@${handle}\``,
  (handle) => `\`\`\`\n@${handle}\n\`\`\``,
  (handle) => `~~~\n@${handle}\n~~~`,
  (handle) => `    @${handle}`,
  (handle) => `[@${handle}](https://example.org)`,
  (handle) => `[text](/path "@${handle}")`,
  (handle) => `![@${handle}](x.png)`,
  (handle) => `https://example.org/@${handle.replace(/ /g, '-')}`,
  (handle) => `<https://example.org/?q=@${handle.replace(/ /g, '-')}>`,
  (handle) => `someone@${handle}`,
  (handle) => `<!-- @${handle} -->`,
  (handle) => `<img alt="@${handle}">`,
  (handle) => `\\@${handle}`,
  (handle) => `@@${handle}`,
);

describe('parseMentions with generated comments', () => {
  it('finds every mention in text, and finds no mention in code, links or HTML', async () => {
    const plans = fc.record({
      names: distinctNames,
      plants: fc.array(
        fc.record({ at: fc.nat(), spell: spelling, text: asText, hide: hidden, before: prose }),
        { minLength: 1, maxLength: 8 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(plans, async ({ names, plants }) => {
        const shown = names.filter((_, index) => index % 2 === 0);
        const concealed = names.filter((_, index) => index % 2 === 1);
        const pick = (from: string[], at: number) => from[at % from.length] as string;
        const parts = plants.flatMap(({ at, spell, text, hide, before }) => [
          before,
          text(spell(pick(shown, at))),
          before,
          hide(spell(pick(concealed, at))),
        ]);
        const roster = names.map((agent) => ({ id: agent, name: agent }));
        const found = parseMentions(await readCommentText(parts.join('\n\n')), roster);
        const planted = new Set(plants.map(({ at }) => pick(shown, at)));
        expect(found.map((mention) => mention.agent?.name)).toEqual([...planted]);
      }),
      { numRuns: 400 },
    );
  });

  it('returns only agents of the company, and each agent only once, for any input', async () => {
    const anything = fc.array(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 12 }),
        name.map((some) => `@${some}`),
        fc.constantFrom(
          '`',
          '```\n',
          '[',
          '](',
          ')',
          '<',
          '>',
          '\n\n',
          '    ',
          '*',
          '_',
          '\\',
          '|',
        ),
      ),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(anything, fc.uniqueArray(name, { maxLength: 6 }), async (parts, names) => {
        const roster = names.map((agent) => ({ id: agent, name: agent }));
        const found = parseMentions(await readCommentText(parts.join('')), roster);
        const ids = found.flatMap((mention) => (mention.agent ? [mention.agent.id] : []));
        expect(new Set(ids).size).toBe(ids.length);
        for (const id of ids) expect(names).toContain(id);
      }),
      { numRuns: 400 },
    );
  });
});
