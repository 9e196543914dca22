import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const MODULE = pathToFileURL(join(__dirname, '../../db/bin/lib/compact-client.mjs')).href;

/** What a function of the module, which is an ES module of the build, answers. */
function ask<Answer>(name: string, ...args: unknown[]): Answer {
  const script = `import * as all from '${MODULE}'; console.log(JSON.stringify(all.${name}(...JSON.parse(process.argv[1]))))`;
  const words = ['--input-type=module', '-e', script, JSON.stringify(args)];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8', stdio: 'pipe' }));
}

const spreadGraph = (strings: string[], text: string) =>
  ask<{ strings: string[]; graph: string }>('spreadGraph', strings, text);

const graph = (...bytes: number[]) => Buffer.from(bytes).toString('base64url');
// One node of each kind with one edge: its string; what scalars it takes; a child; the string of an enum; flags.
const INPUT = [1, 2, 1, 0, 4, 3, 8];
const OUTPUT = [1, 0, 0, 1];
const ROOT = [1, 1, 0];

it('numbers the strings of a graph from 2,048, and leaves the rest as it is', () => {
  const { strings, graph: spread } = spreadGraph(
    ['title', 'where', 'Status'],
    graph(1, 1, 1, ...INPUT, ...OUTPUT, ...ROOT),
  );
  expect(strings.slice(2_047)).toEqual(['', 'title', 'where', 'Status']);
  // 2,048 takes two bytes: 0x80 0x10. The enum's is written one higher, as 0 is none.
  const edges = [
    [1, 0x82, 0x10, 1, 0, 4, 0x83, 0x10, 8],
    [1, 0x80, 0x10, 0, 1],
    [0x81, 0x10, 1, 0],
  ];
  expect([...Buffer.from(spread, 'base64url')]).toEqual([1, 1, 1, ...edges.flat()]);
});

it('an enum that is none stays none', () => {
  const { graph: spread } = spreadGraph([], graph(1, 0, 0, 1, 2, 1, 0, 4, 0, 8));
  expect([...Buffer.from(spread, 'base64url')]).toEqual([1, 0, 0, 1, 0x82, 0x10, 1, 0, 4, 0, 8]);
});

it('refuses a graph and a client of another form', () => {
  expect(() => spreadGraph([], graph(0, 0, 0, 7))).toThrow('another form');
  expect(() => ask('compactClient', 'export const config = {}')).toThrow(
    'a Prisma client has 0 of',
  );
});
