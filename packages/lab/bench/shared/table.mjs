import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commitOf, describeMachine } from './machine.mjs';
import { OWN } from './processes.mjs';

const FILE = fileURLToPath(new URL('../../../../docs/performance.md', import.meta.url));

/**
 * Prints Markdown tables row by row and, with `--write`, puts all of them into `docs/performance.md` in place of what
 * stands there between the markers of this benchmark.
 */
export async function openReport({ name, options, pool }) {
  const lines = [];
  const say = (line) => {
    lines.push(line);
    console.log(line);
  };
  const command = ['npm run bench --', name, ...options.words].join(' ');
  say(`${new Date().toISOString().slice(0, 10)}, \`${command}\`, ${await describeMachine(pool)};`);
  say(describeCheckouts(options.before));
  return {
    head: (columns) => {
      say('');
      say(`| ${columns.join(' | ')} |`);
      say(`| ${columns.map(() => '---').join(' | ')} |`);
    },
    row: (cells) => say(`| ${cells.join(' | ')} |`),
    note: (text) => say(`\n${text}`),
    close: () => options.write && write(name, lines),
  };
}

function describeCheckouts(before) {
  const own = `measured: ${commitOf(OWN)}`;
  return before ? `${own}, before: ${commitOf(before)}` : own;
}

function write(name, lines) {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const text = readFileSync(FILE, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${FILE} has no markers of ${name}`);
  const body = `${begin}\n\n${lines.join('\n')}\n\n`;
  writeFileSync(FILE, text.slice(0, from) + body + text.slice(to));
  execFileSync(join(OWN, 'node_modules/.bin/biome'), ['format', '--write', FILE]);
}

export const fixed = (value, digits = 0) =>
  value === null || value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);
export const ratio = (a, b) => (a && b ? (a / b).toFixed(2) : '–');
/** How many rounds count, and how many of them had other work beside them. */
export const roundsOf = ({ kept, disturbed }) =>
  disturbed ? `${kept}, ${disturbed} disturbed` : String(kept);
