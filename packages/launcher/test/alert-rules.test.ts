import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readAlertRules } from '@switchyard/testing';
import { parse } from 'yaml';

const SERVICES = path.join(__dirname, '../../../services');

it.each([
  ['orchestration', 'switchyard'],
  ['metrics', 'marketmetrics'],
] as const)('the alert rules of %s each have a test that makes them fire', (service, group) => {
  const tests = path.join(SERVICES, service, 'assets/alert-rules.test.yml');
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
