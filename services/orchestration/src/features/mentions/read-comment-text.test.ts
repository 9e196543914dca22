import { parseMentions } from './parse-mentions';
import { readCommentText } from './read-comment-text';

const LENGTH = 100_000;
const fill = (unit: string) => unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);
const steps = (count: number, step: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => step(index)).join('');

const BOMBS: Record<string, string> = {
  'one unbroken word': `@${fill('a').slice(1)}`,
  'one unbroken word of another script': `@${fill('漢').slice(1)}`,
  'at signs': fill('@'),
  'at signs and names': fill('@a '),
  'names that nearly match': fill('@a a a a a a a a b '),
  'link openers': fill('[a]('),
  'unclosed brackets': fill('['),
  'nested brackets': '['.repeat(50_000) + ']'.repeat(50_000),
  'nested links': '['.repeat(30_000) + '](b)'.repeat(17_500),
  'image openers': fill('!['),
  'links to agents': fill('[@a](agent://b)'),
  'unclosed links to agents': fill('[@a](agent://b'),
  'nested quotes': fill('> '),
  'nested quotes with lazy continuation': `${'> '.repeat(200)}a\n${fill('@a\n')}`.slice(0, LENGTH),
  'increasingly nested lists': steps(440, (depth) => `${' '.repeat(depth)}- @a\n`),
  'one long list': fill('* @a\n'),
  'unclosed emphasis': fill('*a@a_'),
  'nested emphasis': '*a '.repeat(16_000) + ' b*'.repeat(17_000),
  'backticks of every length': steps(440, (count) => `${'`'.repeat(count + 1)} @a `),
  tables: fill('a|b\n-|-\n'),
  'a wide table': `${fill('|@a').slice(0, 14_000)}|\n${fill('|-').slice(0, 9_400)}|\n`,
  'HTML openers': fill('<a @b '),
  'unclosed comments': fill('<!-- @'),
  entities: fill('&#64;'),
  addresses: fill('http://a.b/@c '),
  'one long address': `http://${fill('a@b.').slice(7)}`,
  'e-mail addresses': fill('a.b@c.com '),
  'reference definitions': fill('[a]: b "@a"\n'),
  'combining marks out of order': `@a${'\u0301'.repeat(49_000)}${'\u0316'.repeat(49_000)}`,
  'letters that fold to two': `@${fill('ß').slice(1)}`,
  'white space': `@a${fill(' ').slice(4)}@a`,
};

/**
 * Returns the longest block of the event loop in ms of CPU time, so that other processes on the
 * machine do not count.
 */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let working = true;
  let last = process.cpuUsage();
  const tick = () => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.cpuUsage();
    if (working) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  await new Promise((resolve) => setImmediate(resolve));
  working = false;
  tick();
  return longest;
}

describe('readCommentText with hostile comments', () => {
  const roster = [
    ...Array.from({ length: 1_000 }, (_, index) => ({ id: `${index}`, name: `Agent ${index}` })),
    { id: 'a', name: 'a' },
    { id: 'long', name: 'a '.repeat(99).trim() },
  ];
  const read = async (body: string) => {
    const text = await readCommentText(body);
    await new Promise((resolve) => setImmediate(resolve));
    parseMentions(text, roster);
  };
  const shortestOf = async (body: string) => {
    const turns: number[] = [];
    for (let look = 0; look < 3; look++) turns.push(await longestTurn(() => read(body)));
    return Math.min(...turns);
  };

  let ordinary: number;
  beforeAll(async () => {
    ordinary = await shortestOf(fill('* an *ordinary* `list` for [@a](http://a.b)\n'));
  });

  it.each(Object.entries(BOMBS))(
    'blocks the event loop at most 20 times as long as an ordinary comment: %s',
    async (_, body) => expect((await shortestOf(body)) / ordinary).toBeLessThan(20),
  );
});
