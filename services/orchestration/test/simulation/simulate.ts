import fc from 'fast-check';
import { deliverNow } from '../../src/features/callbacks/start-deliveries';
import {
  checkDeliveries,
  checkEvents,
  checkInvariants,
  checkWakes,
  createRunWatch,
  expectThat,
} from './checks';
import { claim, endRun, finish, liveRuns, ofWorkers, REQUESTS, takeRuns } from './requests';
import { pick, type SimulatedCompany, startSimulatedCompany } from './simulated-company';
import { KINDS, type Step, sweep, takeStep } from './steps';

const MOST_STEPS = 150;

export const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    a: fc.nat(99),
    b: fc.nat(99),
    c: fc.nat(99),
  }),
  { minLength: 1, maxLength: MOST_STEPS, size: 'max' },
);

/**
 * Runs the steps in a new company, then lets all work end, and returns a line per step.
 * @throws Broken if a promise is broken; the message ends with the lines
 */
export async function simulate(steps: readonly Step[]): Promise<string[]> {
  const company = await startSimulatedCompany();
  const lines: string[] = [];
  try {
    company.receiver.answer = ({ headers }, response) => {
      if (!company.receiverFails) company.accepted.add(String(headers['webhook-id']));
      response.writeHead(company.receiverFails ? 500 : 204).end();
    };
    const watchRuns = createRunWatch(company);
    for (const step of steps) {
      const line = await takeStep(company, step);
      if (line === null) continue;
      lines.push(line);
      await watchRuns();
      if (lines.length % 8 === 0) await checkInvariants(company);
    }
    lines.push(await endAllWork(company, watchRuns));
    await checkInvariants(company);
    await checkDeliveries(company);
    await checkWakes(company);
    await checkEvents(company);
    return lines;
  } catch (error) {
    if (error instanceof Error) error.message += `\n${lines.join('\n')}`;
    throw error;
  } finally {
    await company.close();
  }
}

const MOST_ROUNDS = 60;

const OPEN = `
  SELECT (SELECT count(*) FROM heartbeat_run WHERE finished_at IS NULL)::int AS runs,
    (SELECT count(*) FROM agent_wakeup WHERE status = 'pending')::int AS wakes,
    (SELECT count(*) FROM routine_run WHERE status = 'pending')::int AS firings,
    (SELECT count(*) FROM delivery WHERE status = 'pending')::int AS deliveries`;

const SUMMARY = `
  SELECT 'run ' || status AS of, count(*)::int AS n FROM heartbeat_run GROUP BY 1
  UNION ALL SELECT 'issue ' || status, count(*)::int FROM issue GROUP BY 1
  UNION ALL SELECT 'wake ' || status, count(*)::int FROM agent_wakeup GROUP BY 1
  UNION ALL SELECT 'cents', sum(cost_cents)::int FROM cost_event
  ORDER BY 1`;

async function endWorkersRun(company: SimulatedCompany): Promise<void> {
  const run = await pick(company, 'heartbeat_run', 0, ofWorkers(company));
  if (!run) return;
  await claim(company, run).send(company.harness);
  const last = company.claims.at(-1);
  if (last?.run.id === run.id) await finish(last, 0).send(company.harness);
}

/** Without faults and with money, everything that was accepted comes to an end. */
async function endAllWork(
  company: SimulatedCompany,
  watchRuns: () => Promise<void>,
): Promise<string> {
  const { harness, companyId, agents, query, clock } = company;
  company.receiverFails = false;
  const change = async (method: 'patch' | 'post', path: string, body: object) => {
    const { status, body: answer } = await harness.api[method](path).send(body);
    expectThat(status === 200, 'the board can lift its limits', { path, status, answer });
  };
  await change('patch', `/api/companies/${companyId}`, { status: 'active' });
  for (const id of agents) {
    await change('patch', `/api/agents/${id}`, {
      budgetMonthlyCents: 0,
      confirmUnlimited: true,
    });
    await change('post', `/api/agents/${id}/resume`, {});
  }
  await change('patch', `/api/routines/${company.routineId}`, { status: 'paused' });
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await sweep(company);
    for (const at of [0, 1]) await (await takeRuns(company, { at, free: 8 })).send(harness);
    for (const given of await liveRuns(company)) await endRun(given, 0).send(harness);
    await endWorkersRun(company);
    await deliverNow(harness.context);
    await (await REQUESTS.readEvents(company)).send(harness);
    await watchRuns();
    const [open] = await query<Record<string, number>>(OPEN);
    if (Object.values(open ?? {}).every((count) => count === 0)) {
      const summary = await query<{ of: string; n: number }>(SUMMARY);
      return summary.map(({ of, n }) => `${n} ${of}`).join(', ');
    }
    await clock.advance(harness, 60 * 60 * 1_000);
  }
  const [open] = await query<Record<string, number>>(OPEN);
  expectThat(false, 'all work comes to an end', open);
  return '';
}
