import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commonEnvironment,
  environmentNames,
  environmentTables,
  isSecretName,
  SECRET_SETTINGS,
  withTable,
} from '@switchyard/server';
import { ENVIRONMENT, ENVIRONMENT_NAMES } from '../src/settings/environment';

test('equals docs/operating.md for every variable: else `npm run format`', () => {
  const page = readFileSync(join(__dirname, '../../../docs/operating.md'), 'utf8');
  expect(withTable(page, 'settings of orchestration', environmentTables(ENVIRONMENT))).toBe(page);
  const common = environmentTables({ groups: { '': commonEnvironment } });
  expect(withTable(page, 'settings of every process', common)).toBe(page);
});

test('documents every variable, unless the platform or our processes set it', () => {
  const documented = [...Object.keys(commonEnvironment), ...environmentNames(ENVIRONMENT)];
  const surroundings = ['PATH', 'HOME', 'LANG', 'RUNNER_TICKET_FILE'];
  expect(ENVIRONMENT_NAMES.toSorted()).toEqual([...documented, ...surroundings].toSorted());
});

test('accepts a file for every secret, and for every address with a password', () => {
  const names = ENVIRONMENT_NAMES;
  const values = names.filter((name) => !/^RATE_LIMIT_|_FILE$/.test(name));
  const secret = values.filter(
    (name) => isSecretName(name) || /^(?:DATABASE|REDIS)_URL$/.test(name),
  );
  const withFile = names.filter((name) => names.includes(`${name}_FILE`));
  expect(secret.length).toBeGreaterThan(3);
  expect(secret.filter((name) => ![...SECRET_SETTINGS, ...withFile].includes(name))).toEqual([]);
});
