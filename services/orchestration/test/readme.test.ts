import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENT_NAMES } from '../src/config';

/** Set by the surroundings of every process, not by an operator. */
const GIVEN = ['NODE_ENV', 'PATH', 'HOME', 'LANG'];

test('the README explains every variable that the service reads', () => {
  const readme = readFileSync(join(__dirname, '..', 'README.md'), 'utf8');
  const unexplained = ENVIRONMENT_NAMES.filter((name) => !readme.includes(`\`${name}\``));
  expect(unexplained.sort()).toEqual([...GIVEN].sort());
});
