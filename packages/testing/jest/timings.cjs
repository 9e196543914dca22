const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const ROOT = path.resolve(__dirname, '../../..');
const FILE = path.join(__dirname, 'timings.json');

const LEAST_SEC = 3;

const nameOf = (file) => path.relative(ROOT, file).split(path.sep).join('/');

/** @returns {Record<string, number>} seconds per test file; omits files below `LEAST_SEC` in the last complete run */
const readTimings = () => JSON.parse(readFileSync(FILE, 'utf8'));

/** @param {Map<string, number>} seconds by absolute path, of all test files */
function writeTimings(seconds) {
  const rows = [...seconds]
    .map(([file, sec]) => [nameOf(file), Math.round(sec)])
    .filter(([, sec]) => sec >= LEAST_SEC)
    .sort(([one, a], [other, b]) => b - a || one.localeCompare(other));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}

module.exports = { LEAST_SEC, nameOf, readTimings, writeTimings };
