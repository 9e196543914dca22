import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commonEnvironment,
  environmentLists,
  environmentNames,
  isSecretName,
  SECRET_SETTINGS,
  withTable,
} from '@switchyard/server';
import { ENVIRONMENT, ENVIRONMENT_NAMES } from '../src/config';

test('docs/operating.md matches the schema (update: `npm run format`)', () => {
  const page = readFileSync(join(__dirname, '../../../docs/operating.md'), 'utf8');
  expect(withTable(page, 'settings of metrics', environmentLists(ENVIRONMENT))).toBe(page);
  const told = [...Object.keys(commonEnvironment), ...environmentNames(ENVIRONMENT)];
  expect(ENVIRONMENT_NAMES.toSorted()).toEqual(told.toSorted());
});

test('every secret, and every URL with a password, can be read from a file', () => {
  const names = ENVIRONMENT_NAMES;
  const values = names.filter((name) => !/^RATE_LIMIT_|_FILE$/.test(name));
  const secret = values.filter(
    (name) => isSecretName(name) || /^(?:DATABASE|REDIS)_URL$/.test(name),
  );
  const withFile = names.filter((name) => names.includes(`${name}_FILE`));
  expect(secret.length).toBeGreaterThan(3);
  expect(secret.filter((name) => ![...SECRET_SETTINGS, ...withFile].includes(name))).toEqual([]);
});
