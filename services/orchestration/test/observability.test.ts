import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  documentationFaults,
  documentedMetrics,
  holds,
  type Metric,
  metricsOf,
  missingEntries,
  readAlertRules,
  readDashboard,
  readPage,
  unknownMetrics,
} from '@switchyard/testing';
import supertest from 'supertest';
import { claimDue } from '../src/features/routines/schedule/claim-due';
import { METRIC_PREFIX } from '../src/kernel/metrics';
import { createMetricsApplication } from '../src/observability/probes';
import { reportInvariants } from '../src/work/watch-invariants';
import { useHarness } from './harness';

const ROOT = join(__dirname, '../../..');
const RULES = readAlertRules('switchyard');
const PANELS = readDashboard('orchestration');
const RUNBOOK = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
const DOCUMENTED = documentedMetrics(
  readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8'),
  METRIC_PREFIX,
);

describe('the Prometheus pages after some traffic', () => {
  const harness = useHarness();
  let page: Map<string, Metric>;
  let text: string;
  const samples = (name: string, labels: Record<string, string> = {}) =>
    (page.get(name)?.samples ?? []).filter((sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  const value = (name: string, labels?: Record<string, string>) => samples(name, labels)[0]?.value;

  beforeAll(async () => {
    const { api, build, context, db } = harness;
    const agent = await build.agent({ budgetMonthlyCents: 100, name: 'Nobody In A Label' });
    const { id: agentId, companyId } = agent;
    await build.queuedRun(agentId);
    await build.queuedRun(agentId);
    await harness.drain();
    await reportInvariants(context);
    const routine = await build.routine({ companyId, assigneeAgentId: agentId });
    const trigger = await build.trigger(routine.id, {
      kind: 'schedule',
      cronExpression: '0 0 1 1 *',
      timezone: 'UTC',
    });
    const nextRunAt = new Date(Date.now() - 2_000);
    await db.routineTrigger.update({ where: { id: trigger.id }, data: { nextRunAt } });
    await claimDue(context);
    await harness.drain();
    const cost = { agentId, provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };
    for (const costCents of [85, 20]) {
      await api.post(`/api/companies/${companyId}/cost-events`).send({ ...cost, costCents });
    }
    await api.post(`/api/agents/${agentId}/heartbeat/invoke`).expect(409);
    await api.get('/api/nothing/here').expect(404);
    const answer = await supertest(createMetricsApplication(context)).get('/metrics').expect(200);
    text = answer.text;
    page = readPage(text);
    for (const secret of [agentId, companyId, agent.name]) expect(text).not.toContain(secret);
  });

  it('contain every documented metric with its type and labels, and no other metric', () => {
    expect(DOCUMENTED.length).toBeGreaterThan(20);
    expect(documentationFaults(DOCUMENTED, page, METRIC_PREFIX)).toEqual([]);

    const [first, second, ...others] = DOCUMENTED;
    if (!first || !second) throw new Error('nothing is documented');
    const planted = [
      { ...first, name: 'switchyard_that_is_not_there' },
      { ...second, type: 'summary', labels: ['company'] },
      ...others,
    ];
    expect(documentationFaults(planted, page, METRIC_PREFIX)).toHaveLength(4);
  });

  it('count wakes, runs, budget events and HTTP requests', () => {
    expect(value('switchyard_wakes_total', { source: 'manual', outcome: 'woken' })).toBe(1);
    expect(value('switchyard_wakes_total', { source: 'manual', outcome: 'coalesced' })).toBe(1);
    expect(value('switchyard_wakes_total', { source: 'manual', outcome: 'skipped' })).toBe(1);
    expect(value('switchyard_wakes_total', { source: 'routine', outcome: 'woken' })).toBe(1);
    expect(value('switchyard_heartbeat_runs_started_total', { source: 'routine' })).toBe(1);
    expect(value('switchyard_heartbeat_runs_finished_total', { status: 'succeeded' })).toBe(2);
    for (const kind of ['soft_alert', 'hard_stop']) {
      expect(value('switchyard_budget_events_total', { scope: 'agent', kind })).toBe(1);
      expect(value('switchyard_budget_events_total', { scope: 'company', kind })).toBe(0);
    }
    expect(value('switchyard_worker_slots_busy')).toBe(0);
    const lag = page.get('switchyard_routine_fire_lag_seconds')?.samples ?? [];
    const sum = lag.find(({ name }) => name.endsWith('_sum'))?.value;
    expect(sum).toBeGreaterThanOrEqual(2);
    expect(sum).toBeLessThan(30);
    const route = '/api/agents/:agentId/heartbeat/invoke';
    const answers = samples('switchyard_http_request_duration_seconds', { route });
    const counts = answers.filter(({ name }) => name.endsWith('_count'));
    expect(counts.map(({ labels, value: n }) => `${labels.status_class} ${n}`).sort()).toEqual([
      '2xx 2',
      '4xx 1',
    ]);
  });

  it('stay below 100 kB', () => {
    expect(text.length).toBeLessThan(100_000);
  });

  it('contain every metric that the alert rules and the dashboard use', () => {
    const expressions = [...RULES.map(({ expr }) => expr), ...PANELS];
    expect(expressions.length).toBeGreaterThan(40);
    expect(unknownMetrics(expressions, page)).toEqual([]);
    const planted = ['max(switchyard_that_is_not_there) > 0', 'switchyard_worker_slots_bucket'];
    expect(unknownMetrics(planted, page)).toHaveLength(2);
    expect(() => metricsOf('sum by (queue (up)')).toThrow('invalid PromQL');
    expect(metricsOf('sum(rate(a_bucket{b="c"}[5m])) > 0 and on (job) d')).toEqual([
      'a_bucket',
      'd',
    ]);
  });
});

describe('the alert rules', () => {
  it('have one runbook entry each', () => {
    expect(RULES.length).toBeGreaterThan(10);
    expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
    expect(missingEntries(RULES, RUNBOOK)).toEqual([]);
    expect(missingEntries(RULES, RUNBOOK.replace('## SwitchyardFireLag', '## Fire lag'))).toEqual([
      'SwitchyardFireLag',
    ]);
  });

  it('have the same result in the test function holds() as in Prometheus', () => {
    const page = readPage('# TYPE a gauge\na{queue="x"} 31\na{queue="y"} 0\n');
    expect(holds('max by (queue) (a) > 30', [page])).toBe(true);
    expect(holds('max by (namespace, queue) (a) > 30', [page])).toBe(true);
    expect(holds('max(a) > 31', [page])).toBe(false);
    expect(holds('sum by (namespace) (a) == 31', [page])).toBe(true);
    expect(holds('sum(a) == 62', [page, page])).toBe(true);
    expect(holds('max(b) > 0', [page])).toBe(false);
    expect(() => holds('sum by (queue) (a) > 30', [page])).toThrow('only a Prometheus server');
  });
});
