import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { readAlertRules, writeRuleFile } from '@switchyard/testing';
import { parse } from 'yaml';
import { type Harness, startHarness, startService } from '../../test/harness';
import { ExchangeFailure } from '../exchange/failure';

const TESTS = join(__dirname, '../../assets/alert-rules.test.yml');
const promtool = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'promtool'))
  .find(existsSync);

interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts: object[] }[];
}

describe('the alert rules', () => {
  it('have a test each in which they fire', () => {
    const { tests } = parse(readFileSync(TESTS, 'utf8')) as { tests: RuleTest[] };
    const fired = tests.flatMap(({ alert_rule_test }) =>
      alert_rule_test.filter((one) => one.exp_alerts.length > 0).map((one) => one.alertname),
    );
    expect([...new Set(fired)].sort()).toEqual(
      readAlertRules('marketmetrics')
        .map((rule) => rule.alert)
        .sort(),
    );
  });

  // Where there is no Prometheus, the rules are compared with their tests alone.
  if (promtool) {
    it('fire when they should, and only then, in a Prometheus', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'alert-rules-'));
      writeRuleFile(folder);
      copyFileSync(TESTS, join(folder, 'test.yml'));
      const args = ['test', 'rules', join(folder, 'test.yml')];
      const run = promisify(execFile)(String(promtool), args);
      const failed = await run.then(
        () => '',
        (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
      );
      expect(failed).toBe('');
    });
  }
});

describe('what alerts read, after a restart', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  const successes = async ({ http }: Pick<Harness, 'http'>) => {
    const { text } = await http.get('/metrics');
    const found = text.matchAll(/last_success_timestamp_seconds\{kind="(\w+)"\} ([\d.e+]+)/g);
    return Object.fromEntries([...found].map(([, kind, at]) => [kind, Number(at)]));
  };

  it('is there before anything is collected, also for a kind that never came', async () => {
    const { exchange } = service.context;
    const away = () => Promise.reject(new ExchangeFailure('auth', 'all', 'a bad key'));
    const context = { exchange: () => ({ ...exchange, balance: away, close: async () => {} }) };
    const sick = await startService({ url: service.database.url, context });
    expect(await successes(sick)).toEqual({});
    await sick.http.post('/metrics/collect').send({});
    await sick.close();
    const restarted = await startService({ url: service.database.url, context });
    const found = await successes(restarted);
    await restarted.close();
    expect(found).toMatchObject({
      balance: 0,
      market: expect.any(Number),
      regime: expect.any(Number),
    });
    expect(found.market).toBeGreaterThan(1e9);
  });

  it('keeps the time of the last success through later failures', async () => {
    await service.http.post('/metrics/collect').send({});
    const before = await successes(service);
    expect(before.balance).toBeGreaterThan(1e9);
    const { exchange } = service.context;
    const away = () => Promise.reject(new ExchangeFailure('unavailable', 'all', 'away'));
    const context = { exchange: () => ({ ...exchange, balance: away, close: async () => {} }) };
    const sick = await startService({ url: service.database.url, context });
    await sick.http.post('/metrics/collect').send({});
    const after = await successes(sick);
    await sick.close();
    expect(after.balance).toBe(before.balance);
    expect(after.market).toBeGreaterThan(before.market as number);
  });
});
