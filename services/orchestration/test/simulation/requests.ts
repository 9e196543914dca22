import { createHmac } from 'node:crypto';
import { ISSUE_PRIORITIES, ISSUE_STATUSES, type RunAssignment } from '@switchyard/types';
import type supertest from 'supertest';
import { signRunToken } from '../../src/access/run-token';
import { readEvents } from '../../src/features/events/read-events';
import { processWakeup } from '../../src/features/wakes/process-wakeup';
import { claimRun } from '../../src/state/runs/claim-run';
import { finishRun } from '../../src/state/runs/end-run';
import { USAGE } from '../runner-client';
import { WEBHOOK_SECRET } from '../webhook-receiver';
import {
  type Claim,
  type Given,
  pick,
  type Reply,
  type Runner,
  type SimulatedCompany,
  type Via,
} from './simulated-company';

export interface Numbers {
  a: number;
  b: number;
  c: number;
}

/** A request whose objects have been chosen, so that it can be sent at any time. */
export interface Prepared {
  name: string;
  send(via: Via): Promise<Reply>;
}

type Prepare = (company: SimulatedCompany, numbers: Numbers) => Promise<Prepared | null>;

const replied = async (request: supertest.Test): Promise<Reply> => {
  const { status, body } = await request;
  return { answer: status < 300 ? status : (body.code ?? status), body };
};

const board = (
  name: string,
  method: 'post' | 'patch',
  path: string,
  body: object = {},
  headers: Record<string, string> = {},
): Prepared => ({
  name,
  send: ({ api }) => replied(api[method](path).set(headers).send(body)),
});

const onIssue =
  (verb: string): Prepare =>
  async (company, { a }) => {
    const issue = await pick(company, 'issue', a);
    return issue && board(`${verb} ${issue.label}`, 'post', `/api/issues/${issue.id}/${verb}`);
  };

const onAgent =
  (verb: string): Prepare =>
  async (company, { a }) => {
    const agent = await pick(company, 'agent', a);
    return agent && board(`${verb} ${agent.label}`, 'post', `/api/agents/${agent.id}/${verb}`);
  };

const onRun =
  (verb: string): Prepare =>
  async (company, { a }) => {
    const run = await pick(company, 'heartbeat_run', a);
    return run && board(`${verb} ${run.label}`, 'post', `/api/heartbeat-runs/${run.id}/${verb}`);
  };

const callback = ({ receiver }: SimulatedCompany, wanted: boolean) =>
  wanted ? { callbackUrl: `${receiver.url}/ended`, callbackSecret: WEBHOOK_SECRET } : {};

export const REQUESTS = {
  createIssue: async (company, { a, b, c }) => {
    const number = ++company.count;
    const agent = await pick(company, 'agent', a);
    const blocker = c % 3 === 0 ? await pick(company, 'issue', b) : null;
    const body = {
      title: `Issue ${number}`,
      status: c % 4 ? 'todo' : 'backlog',
      priority: ISSUE_PRIORITIES[b % ISSUE_PRIORITIES.length],
      ...(a % 4 && agent && { assigneeAgentId: agent.id }),
      ...(blocker && { blockedBy: [blocker.id] }),
      ...callback(company, c % 5 === 0),
    };
    const path = `/api/companies/${company.companyId}/issues`;
    const key = { 'Idempotency-Key': `issue-${number}` };
    return board(`create issue ${number}`, 'post', path, body, key);
  },
  move: async (company, { a, b }) => {
    const issue = await pick(company, 'issue', a);
    const status = ISSUE_STATUSES[b % ISSUE_STATUSES.length];
    return (
      issue &&
      board(`move ${issue.label} to ${status}`, 'patch', `/api/issues/${issue.id}`, { status })
    );
  },
  complete: onIssue('complete'),
  reopen: onIssue('reopen'),
  release: onIssue('release'),
  pause: onAgent('pause'),
  resume: onAgent('resume'),
  retry: onRun('retry'),
  cancel: onRun('cancel'),
  mention: async (company, { a, b }) => {
    const issue = await pick(company, 'issue', a);
    const agent = await pick(company, 'agent', b);
    if (!issue || !agent) return null;
    const body = { body: `[@x](agent://${agent.id}) please look` };
    const sent = board('', 'post', `/api/issues/${issue.id}/comments`, body);
    return {
      name: `mention ${agent.label} at ${issue.label}`,
      send: async (via) => {
        const reply = await sent.send(via);
        const isWoken = ({ outcome }: { outcome: string }) => outcome === 'woken';
        if (reply.body.mentions?.some(isWoken)) company.wakes.comments.push(reply.body.id);
        return reply;
      },
    };
  },
  invoke: async (company, { a, b, c }) => {
    const agent = await pick(company, 'agent', a);
    const issue = b % 2 ? await pick(company, 'issue', b) : null;
    if (!agent) return null;
    const number = ++company.count;
    const path = `/api/agents/${agent.id}/heartbeat/invoke`;
    const fields = { payload: { number }, ...(issue && { issueId: issue.id }) };
    const sent = board('', 'post', path, { ...fields, ...callback(company, c % 2 === 0) });
    return {
      name: `invoke ${agent.label} (${number})`,
      send: async (via) => {
        const reply = await sent.send(via);
        if (reply.answer === 202) company.wakes.invocations.push(number);
        return reply;
      },
    };
  },
  admit: async (company, { a }) => {
    const pending = await company.query<{ id: string }>(
      `SELECT id FROM agent_wakeup WHERE status = 'pending' ORDER BY id`,
    );
    const wake = pending[a % Math.max(1, pending.length)];
    return wake
      ? {
          name: `admit wake ${a % pending.length} of ${pending.length}`,
          send: async ({ context }) => {
            await processWakeup(context, wake.id);
            return { answer: 'ok', body: null };
          },
        }
      : null;
  },
  readEvents: async (company) => ({
    name: 'read events',
    send: async ({ context }) => {
      const page = await readEvents(context.db, company.companyId, company.position);
      for (const { activity } of page.events) company.events.add(activity.id);
      company.position = page.readTo;
      return { answer: 'ok', body: null };
    },
  }),
  checkOut: async (company, { a, b }) => {
    const issue = await pick(company, 'issue', a, `status = 'todo' AND checkout_run_id IS NULL`);
    const live = await liveRuns(company);
    const held = live[b % Math.max(1, live.length)];
    return issue && held ? checkOut(company, issue, held) : null;
  },
  spend: async (company, { a, b }) => {
    const agent = await pick(company, 'agent', a);
    if (!agent) return null;
    const { costCents: _, ...usage } = USAGE;
    const body = { ...usage, agentId: agent.id, costCents: b };
    const path = `/api/companies/${company.companyId}/cost-events`;
    const key = { 'Idempotency-Key': `spend-${++company.count}` };
    return board(`${agent.label} spends ${b}`, 'post', path, body, key);
  },
  budget: async (company, { a, b }) => {
    const agent = await pick(company, 'agent', a);
    const budgetMonthlyCents = [100, 5_000, 50_000][b % 3];
    return (
      agent &&
      board(`budget of ${agent.label} ${budgetMonthlyCents}`, 'patch', `/api/agents/${agent.id}`, {
        budgetMonthlyCents,
      })
    );
  },
  pauseCompany: async (company, { a }) => {
    const status = a % 3 ? 'active' : 'paused';
    return board(`company ${status}`, 'patch', `/api/companies/${company.companyId}`, { status });
  },
  ask: async (company, { a }) => {
    const issue = await pick(company, 'issue', a);
    const body = {
      type: 'board_question',
      payload: { title: 'May I?' },
      ...(issue && { issueIds: [issue.id] }),
    };
    return board('ask the board', 'post', `/api/companies/${company.companyId}/approvals`, body);
  },
  decide: async (company, { a, b }) => {
    const approval = await pick(company, 'approval', a);
    const verb = ['approve', 'reject', 'withdraw'][b % 3] as string;
    return (
      approval &&
      board(`${verb} ${approval.label}`, 'post', `/api/approvals/${approval.id}/${verb}`)
    );
  },
  runRoutine: async (company) =>
    board('run routine', 'post', `/api/routines/${company.routineId}/run`, callback(company, true)),
  fireWebhook: async (company, { a }) => {
    const number = a % 2 ? ++company.count : company.count;
    const body = JSON.stringify({ firing: number });
    const at = String(Math.floor(company.clock.now().getTime() / 1_000));
    const signature = createHmac('sha256', company.trigger.secret).update(`${at}.${body}`);
    const headers = {
      'Content-Type': 'application/json',
      'X-Service-Timestamp': at,
      'X-Service-Signature': signature.digest('hex'),
    };
    const path = `/api/routine-triggers/public/${company.trigger.publicId}/fire`;
    return {
      name: `fire webhook ${number}`,
      send: ({ api }) => replied(api.post(path).set(headers).send(body)),
    };
  },
  take: async (company, { a, b, c }) =>
    takeRuns(company, { at: a, free: 1 + (b % 2), isLost: c % 9 === 0 }),
  claim: async (company, { a }) => {
    const run = await pick(company, 'heartbeat_run', a, ofWorkers(company));
    return run && claim(company, run);
  },
  finish: async ({ claims }, { a, b }) => {
    const latest = a % 3 ? claims.slice(-2) : claims;
    const chosen = latest[a % Math.max(1, latest.length)];
    return chosen ? finish(chosen, b) : null;
  },
  end: async (company, { a, b }) => {
    const given = chosenRun(company, a);
    return given && endRun(given, b);
  },
  report: async (company, { a, b }) => {
    const given = chosenRun(company, a);
    if (!given) return null;
    const usage = { ...USAGE, costCents: b };
    return ofRunner(`run ${given.number} reports ${b}`, given, 'usage', {
      seq: 1 + (a % 2),
      usage,
    });
  },
  reserve: async (company, { a, b }) => {
    const given = chosenRun(company, a);
    const { provider, model } = USAGE;
    const body = { id: reservationId(company, b), cents: b, provider, model };
    return given && ofRunner(`run ${given.number} reserves ${b}`, given, 'reserve', body);
  },
  settle: async (company, { a, b, c }) => {
    const given = chosenRun(company, a);
    const body = { id: reservationId(company, c), usage: { ...USAGE, costCents: b } };
    return given && ofRunner(`run ${given.number} settles ${b}`, given, 'settle', body);
  },
  handBack: async (company, { a, b }) => {
    const given = chosenRun(company, a);
    const body = { isFault: b % 2 === 0 };
    return given && ofRunner(`run ${given.number} is handed back`, given, 'release', body);
  },
} satisfies Record<string, Prepare>;

/** SQL: true for open runs of the agent whose runs workers start. */
export const ofWorkers = ({ agents }: SimulatedCompany) =>
  `agent_id = '${agents.at(-1)}' AND finished_at IS NULL`;

export const claim = (
  company: SimulatedCompany,
  { id, label }: { id: string; label: string },
): Prepared => ({
  name: `a worker claims ${label}`,
  send: async ({ context }) => {
    const { claims, companyId, agents } = company;
    const run = await claimRun(context, { id, companyId, agentId: agents.at(-1) as string }, 'w');
    if (run) claims.push({ number: claims.length, run, isEnded: false });
    return { answer: run ? 1 : 0, body: null };
  },
});

export const finish = (claim: Claim, kind: number): Prepared => ({
  name: `claim ${claim.number} ends (${kind % 2})`,
  send: async ({ context }) => {
    const failure = { exitCode: 1, errorCode: 'adapter_exit', error: 'no', transient: false };
    const isEnded = await finishRun(
      context,
      claim.run,
      kind % 2 ? { status: 'failed', ...failure } : { status: 'succeeded', exitCode: 0 },
    );
    claim.isEnded ||= isEnded;
    return { answer: isEnded ? 1 : 0, body: null };
  },
});

/** A lost response reaches no runner; the runner's next call lists its runs, and returns the lost ones. */
export async function takeRuns(
  company: SimulatedCompany,
  { at, free, isLost = false }: { at: number; free: number; isLost?: boolean },
): Promise<Prepared> {
  const names = [...company.runners.keys()];
  const name = names[at % names.length] as string;
  const runner = company.runners.get(name) as Runner;
  const live = await liveRuns(company);
  const running = live.flatMap((given) => (given.runner === runner ? [given.run.runId] : []));
  const { instance, authorization } = runner;
  const body = { instance, seq: runner.nextSeq(), free, running, checks: 0, waitMs: 0 };
  return {
    name: `runner ${name} takes at most ${free}${isLost ? ', and the response is lost' : ''}`,
    send: async ({ runners }) => {
      const request = runners.post('/api/runner/next').set('Authorization', authorization);
      const reply = await replied(request.send(body));
      const runs: RunAssignment[] = reply.body.runs ?? [];
      for (const run of runs)
        company.given.push({ number: company.given.length, run, runner, isLost });
      return { ...reply, answer: typeof reply.answer === 'number' ? runs.length : reply.answer };
    },
  };
}

/** Assignments whose run is still running and was not taken over. */
export async function liveRuns({ given, query }: SimulatedCompany): Promise<Given[]> {
  const rows = await query<{ id: string; epoch: number }>(
    `SELECT id, epoch FROM heartbeat_run WHERE status = 'running' ORDER BY id`,
  );
  return received(given).filter(({ run }) =>
    rows.some(({ id, epoch }) => id === run.runId && epoch === run.epoch),
  );
}

const reservationId = ({ given }: SimulatedCompany, at: number) =>
  `00000000-0000-7000-8000-${String(1 + (at % Math.max(1, given.length))).padStart(12, '0')}`;

const received = (given: Given[]) => given.filter(({ isLost }) => !isLost);

/** Mostly one of the latest assignments, sometimes an old one whose run was taken over. */
function chosenRun({ given }: SimulatedCompany, at: number): Given | null {
  const latest = at % 5 ? received(given).slice(-4) : received(given);
  return latest[at % Math.max(1, latest.length)] ?? null;
}

const ofRunner = (name: string, { run, runner }: Given, what: string, body: object): Prepared => ({
  name,
  send: ({ runners }) =>
    replied(
      runners
        .post(`/api/runner/runs/${run.runId}/${what}`)
        .set('Authorization', runner.authorization)
        .set('X-Run-Ticket', run.ticket)
        .send(body),
    ),
});

/** The error names the assignment, so that a run shows by whose report it ended. */
export function endRun(given: Given, kind: number): Prepared {
  const failure = { exitCode: 1, errorCode: 'adapter_exit', error: `given ${given.number}` };
  const outcomes = [
    { status: 'succeeded', exitCode: 0 },
    { status: 'failed', ...failure, transient: false },
    { status: 'failed', ...failure, transient: true, retryAfterMs: 60_000 },
  ];
  const outcome = outcomes[kind % outcomes.length];
  return ofRunner(`run ${given.number} ends (${kind % 3})`, given, 'end', { outcome });
}

/** The key makes the checkout a transaction, so that it can wait for another one's lock. */
export function checkOut(
  { harness, companyId, count }: SimulatedCompany,
  issue: { id: string; label: string },
  { number, run }: Given,
): Prepared {
  const token = runToken(harness.config.runTokenSecret, companyId, run);
  const headers = {
    Authorization: `Bearer ${token}`,
    'Idempotency-Key': `checkout-${number}-${count}`,
  };
  const body = { agentId: run.spec.agentId, expectedStatuses: ['todo'] };
  const name = `run ${number} checks out ${issue.label}`;
  return board(name, 'post', `/api/issues/${issue.id}/checkout`, body, headers);
}

const runToken = (secret: string, companyId: string, { runId, epoch, spec }: RunAssignment) =>
  signRunToken(secret, { runId, agentId: spec.agentId, companyId, epoch }, 3_600);
