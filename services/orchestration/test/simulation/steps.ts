import { randomIntegers } from '@switchyard/testing';
import { takeSteps } from '../../src/features/approvals/deadlines/take-steps';
import { deliverNow } from '../../src/features/callbacks/start-deliveries';
import { fireScheduled } from '../../src/features/routines/firing/fire-scheduled';
import { claimDue } from '../../src/features/routines/schedule/claim-due';
import { processWakeup } from '../../src/features/wakes/process-wakeup';
import { SWEEPS } from '../../src/work/sweeps';
import { interleave, readyIn } from '../interleavings/interleave';
import { checkAgeing, digest, expectThat } from './checks';
import {
  checkOut,
  claim,
  finish,
  liveRuns,
  type Numbers,
  ofWorkers,
  type Prepared,
  REQUESTS,
  takeRuns,
} from './requests';
import { pick, type Reply, type SimulatedCompany, type Via } from './simulated-company';

export interface Step extends Numbers {
  kind: string;
}

type Take = (company: SimulatedCompany, numbers: Numbers) => Promise<string | null>;

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** Few of the orders let a reader miss an event of an open transaction. */
const READS = 8;
const LEASE_MS = 4 * SECOND;
const TIMES = [SECOND, 31 * SECOND, 40 * SECOND, 11 * 60 * SECOND, 6 * HOUR, 25 * HOUR];

const NAMES = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[];

const OTHERS: Record<string, Take> = {
  together: async (company, { a, b, c }) => {
    const random = randomIntegers(a * 1_000_003 + b * 1_009 + c);
    const [one, two] = [await anyRequest(company, random), await anyRequest(company, random)];
    if (!one || !two) return null;
    const requests = [one, two, ...(b % 2 ? [await REQUESTS.readEvents(company)] : [])];
    const replies = await atOnce(company, requests, random, c % 6 === 0);
    return `${requests.map(({ name }) => name).join(' & ')}: ${replies}`;
  },
  twice: async (company, { a, b, c }) => {
    const random = randomIntegers(a * 1_000_003 + b * 1_009 + c);
    const request = await REQUESTS.createIssue(company, { a, b, c });
    const replies = await atOnce(company, [request, request], random);
    const rows = await company.query<{ made: string }>(
      `SELECT count(*) AS made FROM issue WHERE title = $1`,
      `Issue ${company.count}`,
    );
    expectThat(Number(rows[0]?.made) <= 1, 'a repeated request takes effect once', rows);
    return `${request.name} twice: ${replies}`;
  },
  readWhileWriting: async (company, { a, b, c }) => {
    const random = randomIntegers(a * 10_007 + b * 101 + c);
    const answers = [];
    for (let round = 0; round < READS; round++) {
      const requests = [
        await REQUESTS.createIssue(company, { a: a + round, b, c }),
        await REQUESTS.createIssue(company, { a: b, b: c, c: a + round }),
        await REQUESTS.readEvents(company),
      ];
      answers.push(...(await atOnce(company, requests, random)));
    }
    return `events are read while issues are created: ${answers}`;
  },
  contest: async (company, { a, b, c }) => {
    company.count++;
    const issue = await pick(company, 'issue', a, `status = 'todo' AND checkout_run_id IS NULL`);
    const [one, two] = await liveRuns(company);
    if (!issue || !one || !two) return null;
    const requests = [checkOut(company, issue, one), checkOut(company, issue, two)];
    const replies = await atOnce(company, requests, randomIntegers(b * 101 + c));
    const won = replies.filter((answer) => answer === 200).length;
    expectThat(won <= 1, 'only one of two checkouts succeeds', replies);
    return `runs ${one.number} and ${two.number} check out ${issue.label}: ${replies}`;
  },
  lastBlockers: async (company, { a, b, c }) => {
    const { api } = company.harness;
    const path = `/api/companies/${company.companyId}/issues`;
    const create = async (more: object = {}) =>
      (await api.post(path).send({ title: `Issue ${++company.count}`, status: 'todo', ...more }))
        .body;
    const agentId = company.agents[1 + (a % 2)];
    const blockers = [await create(), await create()];
    const blockedBy = blockers.map(({ id }) => id);
    const waiting = await create({ blockedBy, assigneeAgentId: agentId });
    const rows = await company.query<{ works: boolean }>(
      `SELECT a.status IN ('idle', 'running', 'error') AND c.status = 'active' AS works
       FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = $1`,
      agentId,
    );
    const ends = blockers.map(({ id }) => ({
      name: 'complete a blocker',
      send: async ({ api }: Pick<SimulatedCompany['harness'], 'api'>): Promise<Reply> => {
        const { status, body } = await api.post(`/api/issues/${id}/complete`).send({});
        return { answer: status < 300 ? status : body.code, body };
      },
    }));
    const replies = await atOnce(company, ends, randomIntegers(b * 101 + c));
    const wakes = await company.query(
      `SELECT FROM agent_wakeup WHERE issue_id = $1 AND reason = 'blockers_ended'`,
      waiting.id,
    );
    if (rows[0]?.works) {
      expectThat(wakes.length === 1, 'the last blocker wakes the assignee once', wakes.length);
    }
    return `the last blockers of an issue end: ${replies}, ${wakes.length} wakes`;
  },
  takeOver: async (company, { a, b, c }) => {
    const lost = company.claims.at(-1);
    if (!lost) return null;
    await company.clock.advance(company.harness, LEASE_MS);
    const { id } = lost.run;
    const requests = [
      claim(company, { id, label: `the run of claim ${lost.number}` }),
      finish(lost, a),
    ];
    const replies = await atOnce(company, requests, randomIntegers(b * 101 + c));
    const late = await finish(lost, a).send(company.harness);
    return `claim ${lost.number} expires, and a worker claims its run: ${[...replies, late.answer]}`;
  },
  spendAndClaim: async (company, { a, b, c }) => {
    const { harness, companyId, query } = company;
    const path = `/api/companies/${companyId}`;
    const limit = (budgetMonthlyCents: number) =>
      harness.api.patch(path).send({ budgetMonthlyCents, confirmUnlimited: true });
    const spend = await REQUESTS.spend(company, { a, b: 100, c });
    await harness.api.post(`/api/agents/${company.agents.at(-1)}/heartbeat/invoke`).send({});
    const run = await pick(
      company,
      'heartbeat_run',
      0,
      `${ofWorkers(company)} AND status = 'queued'`,
    );
    if (!spend || !run) return null;
    const [spent] = await query<{ cents: number }>(
      `SELECT coalesce(sum(cost_cents), 0)::int AS cents FROM cost_event
       WHERE company_id = $1 AND created_at >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`,
      companyId,
    );
    await limit((spent?.cents ?? 0) + 100);
    const replies = await atOnce(
      company,
      [spend, claim(company, run)],
      randomIntegers(b * 101 + c),
    );
    const [late] = await query(
      `SELECT r.started_at AS "startedAt", m.hard_stopped_at AS "stoppedAt"
       FROM heartbeat_run r JOIN company_month m USING (company_id)
       WHERE r.id = $1 AND m.month = date_trunc('month', now() AT TIME ZONE 'UTC') AND r.status = 'running' AND r.started_at > m.hard_stopped_at`,
      run.id,
    );
    expectThat(late === undefined, 'a run starts only before the budget is spent', late);
    await limit(0);
    return `the budget is spent while a worker claims ${run.label}: ${replies}`;
  },
  overtake: async (company, { a }) => {
    const { api } = company.harness;
    const wake = async (agentId: string | undefined, priority: string) => {
      const path = `/api/companies/${company.companyId}/issues`;
      const body = { title: `Issue ${++company.count}`, status: 'todo', priority };
      const { id: issueId } = (await api.post(path).send(body)).body;
      await api.post(`/api/agents/${agentId}/heartbeat/invoke`).send({ issueId });
    };
    const [one, other] = a % 2 ? [1, 2] : [2, 1];
    await wake(company.agents[one], 'low');
    await company.clock.advance(company.harness, 25 * HOUR);
    await wake(company.agents[other], 'critical');
    const prepared = await takeRuns(company, { at: a, free: 1 });
    await checkAgeing(company, () => prepared.send(company.harness));
    return `a critical run follows a low one a day later, and ${prepared.name}`;
  },
  advance: async (company, { a }) => {
    const ms = TIMES[a % TIMES.length] as number;
    await company.clock.advance(company.harness, ms);
    return `${ms / SECOND} s pass`;
  },
  replaceRunner: async (company, { a }) => {
    const name = [...company.runners.keys()][a % company.runners.size] as string;
    await company.startRunner(name);
    return `runner ${name} is replaced`;
  },
  renew: async (company) => {
    const live = await liveRuns(company);
    const states = [];
    for (const { run, runner } of live)
      states.push((await runner.leases([run])).body.runs?.[0]?.state);
    return `leases: ${states}`;
  },
  sweep: async (company) => {
    await sweep(company);
    return 'sweep';
  },
  deliver: async (company, { a }) => {
    company.receiverFails = a % 2 === 0;
    await deliverNow(company.harness.context);
    return `deliver, the receiver ${company.receiverFails ? 'fails' : 'accepts'}`;
  },
  firstComesFirst: async (company, { a }) => {
    const prepared = await takeRuns(company, { at: a, free: 1 });
    await checkAgeing(company, () => prepared.send(company.harness));
    return `${prepared.name}: ${company.given.length}`;
  },
};

const OFTEN = [
  'together',
  'twice',
  'contest',
  'lastBlockers',
  'advance',
  'sweep',
  'firstComesFirst',
  'readWhileWriting',
  'overtake',
  'spendAndClaim',
];

export const KINDS = [
  ...NAMES,
  ...Object.keys(OTHERS),
  ...OFTEN,
  'together',
  'together',
  'createIssue',
  'invoke',
  'take',
  'claim',
  'end',
  'takeOver',
  'deliver',
];

/** @returns a line for the trace; null if the step found no object to work on */
export async function takeStep(
  company: SimulatedCompany,
  { kind, ...numbers }: Step,
): Promise<string | null> {
  await company.clock.advance(company.harness, 1);
  const other = OTHERS[kind];
  if (other) return other(company, numbers);
  const request = await REQUESTS[kind as keyof typeof REQUESTS](company, numbers);
  if (!request) return null;
  const before = await digest(company);
  const { answer } = await request.send(company.harness);
  expectThat(!isFault(answer), 'a request causes no fault', { request: request.name, answer });
  if (typeof answer === 'string' && answer !== 'ok') {
    const isSame = before === (await digest(company));
    expectThat(isSame, 'a refused request changes nothing', { request: request.name, answer });
  }
  return `${request.name}: ${answer}`;
}

const isFault = (answer: number | string) =>
  answer === 'internal' ||
  answer === 'unavailable' ||
  (typeof answer === 'number' && answer >= 500);

export async function sweep({ harness: { context }, query }: SimulatedCompany): Promise<void> {
  for (const { work } of Object.values(SWEEPS)) await work(context);
  await claimDue(context);
  const firings = `SELECT id FROM routine_run WHERE status = 'pending' ORDER BY id`;
  for (const { id } of await query<{ id: string }>(firings)) await fireScheduled(context, id);
  await takeSteps(context);
  const wakes = `SELECT id FROM agent_wakeup WHERE status = 'pending' ORDER BY id`;
  for (const { id } of await query<{ id: string }>(wakes)) await processWakeup(context, id);
}

async function anyRequest(company: SimulatedCompany, random: (below: number) => number) {
  const name = NAMES[random(NAMES.length)] as keyof typeof REQUESTS;
  return REQUESTS[name](company, { a: random(100), b: random(100), c: random(100) });
}

/** In percent: how often the request that sent the last statement sends the next one, too. */
const STICKINESS = [0, 50, 90];

const CUT = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'switchyard-a'`;

/**
 * Sends requests at the same time, each to its own server, in a random order of their statements.
 * With `isCut`, the first server once loses its connections to the database.
 */
async function atOnce(
  company: SimulatedCompany,
  requests: Prepared[],
  random: (below: number) => number,
  isCut = false,
): Promise<(number | string)[]> {
  const { sessions, blocked, query } = company;
  const stickiness = STICKINESS[random(STICKINESS.length)] as number;
  let last = -1;
  let cutAt = isCut ? random(6) : -1;
  const replies = await interleave(
    sessions,
    blocked,
    requests.map(({ send }, at) =>
      isCut && at === 0
        ? (via: Via) => send(via).catch(() => ({ answer: 'unavailable', body: null }))
        : send,
    ),
    async (next) => {
      if (cutAt-- === 0) await query(CUT);
      await company.clock.advance(company.harness, 1);
      const ready = readyIn(next);
      const continues = ready.includes(last) && random(100) < stickiness;
      last = continues ? last : (ready[random(ready.length)] as number);
      return last;
    },
  );
  const answers = replies.map(({ answer }) => answer);
  const faults = answers.filter((answer, at) => isFault(answer) && !(isCut && at === 0));
  const names = requests.map(({ name }) => name);
  expectThat(faults.length === 0, 'a request causes no fault', { names, answers });
  return answers;
}
