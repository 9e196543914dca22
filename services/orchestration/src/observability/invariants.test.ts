import { newId } from '@switchyard/db';
import { findViolations } from '../../test/find-violations';
import { useHarness } from '../../test/harness';
import { reportInvariants } from '../work/watch-invariants';
import { readInvariants } from './check-invariants';

const PLANTED: Record<string, string> = {
  running_runs_have_leases: `UPDATE heartbeat_run SET lease_expires_at = NULL WHERE id = $run`,
  queued_runs_are_unclaimed: `
    INSERT INTO heartbeat_run (id, company_id, agent_id, source, epoch, wake_reasons)
    VALUES ($new, $company, $idle, 'manual', 1, '[{"source": "manual"}]')`,
  epochs_count_claims: `UPDATE heartbeat_run SET attempt = epoch + 1 WHERE id = $run`,
  queued_runs_have_wakes: `
    INSERT INTO heartbeat_run (id, company_id, agent_id, source) VALUES ($new, $company, $idle, 'manual')`,
  halted_agents_have_no_queued_runs: `
    INSERT INTO heartbeat_run (id, company_id, agent_id, source, wake_reasons)
    VALUES ($new, $company, $paused, 'manual', '[{"source": "manual"}]')`,
  terminated_agents_stop: `UPDATE agent SET status = 'terminated' WHERE id = $busy`,
  agent_statuses_fit_runs: `UPDATE agent SET status = 'running' WHERE id = $idle`,
  ended_runs_hold_no_issue: `UPDATE issue SET status = 'in_progress', checkout_run_id = $ended,
    assignee_agent_id = $idle WHERE id = $issue`,
  months_are_sums: `UPDATE agent_month SET cost_cents = cost_cents - 1 WHERE agent_id = $idle`,
  days_are_sums: `UPDATE cost_day SET events = events + 1 WHERE agent_id = $idle`,
  scope_days_are_sums: `
    INSERT INTO cost_scope_day (company_id, scope, scope_id, day, agent_id, cost_cents)
    VALUES ($company, 'issue', $issue, (now() AT TIME ZONE 'UTC')::date, $idle, 1)`,
  runs_cost_their_events: `UPDATE heartbeat_run SET cost_cents = cost_cents + 1 WHERE id = $ended`,
  spent_budgets_pause: `UPDATE agent SET budget_monthly_cents = 7 WHERE id = $idle`,
  wakes_are_decided: `
    INSERT INTO agent_wakeup (id, company_id, agent_id, source, status)
    VALUES ($new, $company, $idle, 'mention', 'admitted')`,
  callbacks_wait_for_open_work: `
    UPDATE delivery SET status = 'waiting', next_attempt_at = NULL, run_id = $ended WHERE id = $delivery`,
  deliveries_were_accepted: `
    UPDATE delivery SET status = 'delivered', next_attempt_at = NULL, answer_status = 503 WHERE id = $delivery`,
  firings_end_with_issues: `
    INSERT INTO routine_run (id, company_id, routine_id, source, status, linked_issue_id)
    VALUES ($new, $company, $routine, 'manual', 'issue_created', $done)`,
  firings_join_their_routine: `
    INSERT INTO routine_run (id, company_id, routine_id, source, status, active_run_id, completed_at)
    VALUES ($new, $company, $routine, 'manual', 'coalesced', $firing, now())`,
  schedules_have_next_times: `UPDATE routine_trigger SET next_run_at = NULL WHERE id = $schedule`,
  numbers_are_below_counters: `UPDATE issue_counter SET last_number = last_number - 1 WHERE company_id = $company`,
  hires_fit_decisions: `
    INSERT INTO approval (id, company_id, type, status, hired_agent_id, decided_at)
    VALUES ($new, $company, 'hire_agent', 'rejected', $idle, now())`,
  secrets_have_latest_versions: `UPDATE secret SET latest_version = 2 WHERE id = $secret`,
  references_stay_in_company: `UPDATE heartbeat_run SET routine_run_id = $foreign WHERE id = $run`,
};

const CALLBACK = {
  callbackUrl: 'http://127.0.0.1:9/x',
  callbackSecret: `whsec_${'A'.repeat(32)}`,
};

describe('the invariants', () => {
  const harness = useHarness();
  let ids: Record<string, string>;
  beforeAll(async () => {
    const { build, api, db } = harness;
    const { id: company } = await build.company();
    const [idle, busy, paused] = [
      await build.agent({ companyId: company }),
      await build.agent({ companyId: company }),
      await build.agent({ companyId: company }),
    ];
    await api.post(`/api/agents/${paused.id}/pause`).send({}).expect(200);
    const { body: waiting } = await api
      .post(`/api/agents/${idle.id}/heartbeat/invoke`)
      .send(CALLBACK)
      .expect(202);
    await harness.drain();
    await api
      .post(`/api/companies/${company}/cost-events`)
      .send({
        ...{ agentId: idle.id, runId: waiting.id, provider: 'test', model: 'test' },
        ...{ inputTokens: 1, outputTokens: 1, costCents: 7 },
      })
      .expect(201);
    const run = await build.liveRun(busy);
    await db.agent.update({ where: { id: busy.id }, data: { status: 'running' } });
    const [other, routine] = [
      await build.routine({ companyId: company, assigneeAgentId: idle.id }),
      await build.routine({ companyId: company, assigneeAgentId: idle.id }),
    ];
    const { body: firing } = await api.post(`/api/routines/${other.id}/run`).send({}).expect(202);
    const schedule = await build.trigger(routine.id, {
      ...{ kind: 'schedule', cronExpression: '0 0 1 1 *', timezone: 'UTC' },
    });
    await harness.drain();
    const issue = await build.issue({ companyId: company });
    const done = await build.issue({ companyId: company, status: 'done' });
    const delivery = await db.delivery.findFirstOrThrow({ where: { companyId: company } });
    const elsewhere = await build.routine();
    const { body: foreign } = await api
      .post(`/api/routines/${elsewhere.id}/run`)
      .send({})
      .expect(202);
    await harness.drain();
    ids = {
      ...{ company, run: run.id, idle: idle.id, busy: busy.id, paused: paused.id },
      ...{ ended: waiting.id, issue: issue.id, done: done.id, firing: firing.id },
      ...{ routine: routine.id, schedule: schedule.id, delivery: delivery.id },
      ...{ secret: (await build.secret({ companyId: company })).id },
      foreign: foreign.id,
    };
  });

  const query = (sql: string, values: unknown[]) => harness.context.db.pool.query(sql, values);

  it('hold after ordinary work', async () => {
    expect(await findViolations(harness.context.db.pool)).toEqual({});
  });

  it('each have a planted violation in PLANTED', () => {
    expect(readInvariants().map(({ name }) => name)).toEqual(Object.keys(PLANTED));
  });

  it.each(Object.entries(PLANTED))(
    'each have a planted violation that breaks no other invariant: %s',
    async (name, sql) => {
      const client = await harness.context.db.pool.connect();
      try {
        await client.query('BEGIN');
        await client.query(
          sql.replace(/\$(\w+)/g, (_, word) => `'${word === 'new' ? newId() : ids[word]}'`),
        );
        expect(Object.keys(await findViolations(client))).toEqual([name]);
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    },
  );

  it('cause a log line and a metric if they are violated, but no repair', async () => {
    const lines: unknown[] = [];
    const logger = { ...harness.context.logger, error: (...line: unknown[]) => lines.push(line) };
    await query('UPDATE agent SET budget_monthly_cents = 7 WHERE id = $1', [ids.idle]);
    await reportInvariants({ ...harness.context, logger });
    expect(lines).toEqual([
      [
        'an invariant is violated',
        {
          invariant: 'spent_budgets_pause',
          violations: 1,
          examples: [{ companyId: ids.company, id: ids.idle }],
        },
      ],
    ]);
    const page = await harness.context.metrics.registry.metrics();
    expect(page).toContain('switchyard_invariant_violations{invariant="spent_budgets_pause"} 1');
    const { rows } = await query('SELECT status FROM agent WHERE id = $1', [ids.idle]);
    expect(rows).toEqual([{ status: 'idle' }]);
  });
});
