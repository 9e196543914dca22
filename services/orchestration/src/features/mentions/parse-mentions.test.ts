import { parseMentions } from './parse-mentions';
import { READ_LIMIT, readCommentText } from './read-comment-text';

const ROSTER = [
  'Ada',
  'Ada Byron',
  'QA-Bot',
  'Zoë Müller',
  'Straße',
  'Dr. Who',
  'Max Power',
  'max-power',
  '李雷',
  'R2 D2 Unit',
  'snake_case',
  "O'Neil",
  'Σίσυφος',
  'C++ Coder',
].map((name, index) => ({ id: `agent-${index}`, name }));

async function mentioned(body: string): Promise<string[]> {
  const mentions = parseMentions(await readCommentText(body), ROSTER);
  return mentions.map(({ agent, name, beyondLimit }) =>
    beyondLimit ? `${name} (unread)` : agent ? name : `?${name}`,
  );
}

const FENCE = '```';

describe('parseMentions', () => {
  describe.each<[string, [string, string[]][]]>([
    [
      'names and handles',
      [
        ['@Ada', ['Ada']],
        ['@ada please look', ['Ada']],
        ['hello @ADA', ['Ada']],
        ['@Ada Byron please', ['Ada Byron']],
        ['@ada byron', ['Ada Byron']],
        ['@ada-byron', ['Ada Byron']],
        ['@ada_byron', ['Ada Byron']],
        ['@AdaByron', ['Ada Byron']],
        ['@ADABYRON', ['Ada Byron']],
        ['@Ada  Byron', ['Ada Byron']],
        ['@Ada\nByron', ['Ada Byron']],
        ['@Ada\u00a0Byron', ['Ada Byron']],
        ['@qa-bot', ['QA-Bot']],
        ['@QA Bot', ['QA-Bot']],
        ['@qabot', ['QA-Bot']],
        ['@snake_case', ['snake_case']],
        ['@snake-case', ['snake_case']],
        ['@R2 D2 Unit', ['R2 D2 Unit']],
        ['@r2-d2-unit', ['R2 D2 Unit']],
        ['@r2-d2 unit', []],
        ['@Dr. Who', ['Dr. Who']],
        ["@O'Neil", ["O'Neil"]],
        ['@C++ Coder', ['C++ Coder']],
        ['@nobody', []],
        ['@', []],
        ['Ada', []],
      ],
    ],
    [
      'Unicode',
      [
        ['@zoë müller', ['Zoë Müller']],
        ['@ZOË MÜLLER', ['Zoë Müller']],
        ['@Zoe\u0308 Mu\u0308ller', ['Zoë Müller']],
        ['@zoë-müller', ['Zoë Müller']],
        ['@STRASSE', ['Straße']],
        ['@straße', ['Straße']],
        ['@ΣΊΣΥΦΟΣ', ['Σίσυφος']],
        ['@李雷', ['李雷']],
        ['你好 @李雷，请看', ['李雷']],
        ['@李雷雷', []],
        ['@Ada\u0301', []],
        ['😀@Ada😀', ['Ada']],
        ['𝐚@Ada', []],
      ],
    ],
    [
      'several matching names',
      [
        ['@Ada Byron and @Ada', ['Ada Byron', 'Ada']],
        ['@Ada Byronic', ['Ada']],
        ['@Ada B', ['Ada']],
        ['@ada-byron2', []],
        ['@AdaByronX', []],
        ['@Adamant', []],
      ],
    ],
    [
      'repeated names',
      [
        ['@ada @Ada @ADA', ['Ada']],
        ['@qa-bot, @ada and @ada-byron', ['QA-Bot', 'Ada', 'Ada Byron']],
        ['# @ada\n\n- @qa-bot\n- again @ada', ['Ada', 'QA-Bot']],
      ],
    ],
    [
      'ambiguous handles',
      [
        ['@Max Power', ['?max power']],
        ['@max-power', ['?max-power']],
        ['@MaxPower and @maxpower', ['?maxpower']],
        ['@Max', []],
      ],
    ],
    [
      'word boundaries',
      [
        ["@Ada's idea", ['Ada']],
        ['@Ada’s idea', ['Ada']],
        ['@Ada, @QA-Bot.', ['Ada', 'QA-Bot']],
        ['(@Ada)', ['Ada']],
        ['"@Ada"', ['Ada']],
        ['@Ada: look', ['Ada']],
        ['cc:@Ada', ['Ada']],
        ['@Ada!', ['Ada']],
        ['@Ada...', ['Ada']],
        ['@Ada—now', ['Ada']],
        ['well...@Ada', ['Ada']],
        ['@Ada - hello', ['Ada']],
        ['@@Ada', []],
        ['a@Ada', []],
        ['_@Ada', []],
        ['7@Ada', []],
        ['ü@Ada', []],
        ['@Ada@example.org', []],
        ['@Ada@QA-Bot', []],
        ['@ada-lovelace', []],
        ['@ada.example', []],
        ['@ada/core', []],
        ['@ada_x', []],
        ['@Ada()', []],
        ['@QA-Bot(1, 2)', []],
        ['@Ada (please)', ['Ada']],
        ['(@Ada)', ['Ada']],
        ['@ Ada', []],
      ],
    ],
    [
      'emphasis',
      [
        ['**@Ada**', ['Ada']],
        ['*@Ada Byron*', ['Ada Byron']],
        ['@Ada *Byron*', ['Ada Byron']],
        ['~~@Ada~~', ['Ada']],
        ['_@snake_case_', ['snake_case']],
        ['a*x*@Ada', []],
        ['a**@Ada**', ['Ada']],
        ['> @Ada', ['Ada']],
        ['1. @Ada', ['Ada']],
        ['| a |\n|---|\n| @Ada |', ['Ada']],
        ['Title @Ada\n=====', ['Ada']],
        ['\\\\@Ada', ['Ada']],
        ['@snake\\_case', ['snake_case']],
        ['\\@Ada', []],
        ['&#64;Ada', []],
        ['&commat;Ada', []],
      ],
    ],
    [
      'code',
      [
        ['`@Ada`', []],
        ['``x ` @Ada``', []],
        [`${FENCE}\n@Ada\n${FENCE}`, []],
        [`${FENCE}@Ada\nx\n${FENCE}`, []],
        [`${FENCE}\n@Ada\n`, []],
        ['~~~ts\n@Ada\n~~~', []],
        ['    @Ada', []],
        ['\t@Ada', []],
        ['- x\n\n      @Ada', []],
        ['> ~~~\n> @Ada', []],
        ['`x` @Ada', ['Ada']],
        ['`x`@Ada', ['Ada']],
        ['a ` @Ada', ['Ada']],
        [`${FENCE}\nx\n${FENCE}\n@Ada`, ['Ada']],
        ['<code>@Ada</code> @QA-Bot', ['QA-Bot']],
        ['@`Ada`', []],
      ],
    ],
    [
      'links, addresses and HTML',
      [
        ['[@Ada](https://example.org)', []],
        ['[x](https://example.org/@Ada "@Ada")', []],
        ['[@Ada][ref]\n\n[ref]: /x', []],
        ['[ref]: /x "@Ada"', []],
        ['[@Ada]', ['Ada']],
        ['![@Ada](x.png)', []],
        ['<https://example.org/?q=@Ada>', []],
        ['<someone@ada.org>', []],
        ['https://example.org/@Ada', []],
        ['https://example.org/?q=(@Ada)', []],
        ['https://@Ada:x@example.org', []],
        ['HTTP://EXAMPLE.ORG/,@Ada', []],
        ['redis://:@Ada:6379', []],
        ['www.example.org/?a,@Ada', []],
        ['example.com/a:@Ada', []],
        ['//example.org/!@Ada', []],
        ['me@ada', []],
        ['me@ada.org', []],
        ['me+x@ada.org', []],
        ['mailto:me@ada.org', []],
        ['https://example.org @Ada', ['Ada']],
        ['(see https://example.org) @Ada', ['Ada']],
        ['<b title="@Ada">x</b>', []],
        ['<!-- @Ada -->', []],
        ['x <!-- @Ada --> y', []],
        ['<div>\n@Ada\n</div>', []],
        ['<a href="/x">@Ada</a>', []],
        ['x <b>@Ada</b>', ['Ada']],
        ['a < b @Ada', ['Ada']],
        ['a[@Ada](', ['Ada']],
      ],
    ],
  ])('parses %s', (_, vectors) => {
    it.each(vectors)('finds the mentions in %j', async (body, expected) => {
      expect(await mentioned(body)).toEqual(expected);
    });
  });

  it('parses only the first part of a very long comment, and marks later mentions as unread', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const body = `@ada\n${line.repeat(READ_LIMIT / 100)}@ada @qa-bot\n\`@ada-byron\``;
    expect(await mentioned(body)).toEqual(['Ada', 'QA-Bot (unread)', 'Ada Byron (unread)']);
  });
});
