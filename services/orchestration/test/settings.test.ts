import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentTable, withTable } from '@switchyard/server';
import { ENVIRONMENT } from '../src/settings/environment';

test('docs/operating.md says what the schema does of every variable: else `npm run docs`', () => {
  const page = readFileSync(join(__dirname, '../../../docs/operating.md'), 'utf8');
  expect(withTable(page, 'settings of orchestration', environmentTable(ENVIRONMENT))).toBe(page);
});
