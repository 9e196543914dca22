import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readAlertRules, writeRuleFile } from '@switchyard/testing';
import { parse } from 'yaml';

const ROOT = path.join(__dirname, '../../..');
const promtool = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'promtool'))
  .find(existsSync);

describe.each([
  ['orchestration', 'switchyard'],
  ['metrics', 'marketmetrics'],
] as const)('the alert rules of %s', (service, group) => {
  const tests = path.join(ROOT, 'services', service, 'assets/alert-rules.test.yml');

  it('each have a test in which they fire', () => {
    const { tests: cases } = parse(readFileSync(tests, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[];
    };
    const fired = cases
      .flatMap((one) => one.alert_rule_test)
      .filter(({ exp_alerts }) => exp_alerts.length > 0)
      .map(({ alertname }) => alertname);
    expect([...new Set(fired)].sort()).toEqual(
      readAlertRules(group)
        .map(({ alert }) => alert)
        .sort(),
    );
  });

  if (promtool) {
    it('pass their tests in Prometheus', async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'alert-rules-'));
      writeRuleFile(folder);
      copyFileSync(tests, path.join(folder, 'test.yml'));
      const args = ['test', 'rules', path.join(folder, 'test.yml')];
      const failed = await promisify(execFile)(promtool, args).then(
        () => '',
        (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
      );
      rmSync(folder, { recursive: true });
      expect(failed).toBe('');
    });
  }
});
