import { existsSync } from 'node:fs';
import path from 'node:path';

const { LONGEST } = jest.requireActual<{ LONGEST: string[] }>('../longest-first.cjs');

test.each(LONGEST)('%s, which is run early, is there', (name) => {
  expect(existsSync(path.resolve(__dirname, '../../..', name))).toBe(true);
});
