import { commitOf, describeMachine } from './machine.mjs';
import { OWN } from './processes.mjs';

export async function openReport({ name, options, pool }) {
  const say = (line) => console.log(line);
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
  };
}

function describeCheckouts(before) {
  const own = `measured: ${commitOf(OWN)}`;
  return before ? `${own}, before: ${commitOf(before)}` : own;
}

export const fixed = (value, digits = 0) =>
  value === null || value === undefined || Number.isNaN(value) ? '–' : value.toFixed(digits);
export const ratio = (a, b) => (a && b ? (a / b).toFixed(2) : '–');
export const roundsOf = ({ kept, disturbed }) =>
  disturbed ? `${kept}, ${disturbed} disturbed` : String(kept);
