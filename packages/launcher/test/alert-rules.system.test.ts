import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ruleFailures, writeRuleFile } from '@switchyard/testing';

const SERVICES = path.join(__dirname, '../../../services');

it.each(['orchestration', 'metrics'])(
  'the alert rules of %s pass their tests in Prometheus',
  async (service) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'alert-rules-'));
    const file = path.join(folder, 'test.yml');
    writeRuleFile(folder);
    copyFileSync(path.join(SERVICES, service, 'assets/alert-rules.test.yml'), file);
    const failures = await ruleFailures(file);
    rmSync(folder, { recursive: true });
    expect(failures).toBe('');
  },
);
