import { randomUUID } from 'node:crypto';
import type {
  RunAssignment,
  RunnerHelloBody,
  RunnerNextBody,
  RunnerWork,
  RunOutcome,
} from '@switchyard/types';
import type supertest from 'supertest';

export const RUNNER_TOKEN = 'the-token-of-the-runners-of-the-tests';

export const WITH_RUNNERS = {
  runner: { token: RUNNER_TOKEN, oldToken: null, leaseMs: 30_000 },
};

export function runnerClient(
  { runners: api }: { runners: ReturnType<typeof supertest> },
  { token = RUNNER_TOKEN, name = `runner-${randomUUID()}`, labels = [] as string[] } = {},
) {
  const instance = randomUUID();
  const authorization = `Bearer ${token}`;
  const post = (path: string, body: object) =>
    api.post(`/api/runner/${path}`).set('Authorization', authorization).send(body);
  const about = ({ runId, ticket }: Pick<RunAssignment, 'runId' | 'ticket'>, what: string) =>
    api
      .post(`/api/runner/runs/${runId}/${what}`)
      .set('Authorization', authorization)
      .set('X-Run-Ticket', ticket);
  const hello = (more: Partial<RunnerHelloBody> = {}) =>
    post('hello', {
      name,
      instance,
      labels,
      capacity: 8,
      sandbox: { driver: 'off', detail: 'a test' },
      probes: [],
      ...more,
    });
  let seq = 0;
  const nextSeq = () => ++seq;
  const ask = (more: Partial<RunnerNextBody> = {}) =>
    post('next', {
      instance,
      seq: more.seq ?? nextSeq(),
      free: 8,
      running: [],
      checks: 0,
      waitMs: 0,
      ...more,
    });
  return {
    instance,
    name,
    authorization,
    post,
    about,
    hello,
    ask,
    nextSeq,
    next: async (more: Partial<RunnerNextBody> = {}) =>
      (await ask(more).expect(200)).body as RunnerWork,
    take: async (more: Partial<RunnerNextBody> = {}) => {
      await hello().expect(200);
      return ((await ask(more).expect(200)).body as RunnerWork).runs;
    },
    leases: (runs: { runId: string; epoch: number }[]) =>
      post('leases', { instance, runs: runs.map(({ runId, epoch }) => ({ runId, epoch })) }),
    log: (run: RunAssignment, offset: number, content: string | Buffer) =>
      about(run, `log?offset=${offset}`)
        .set('Content-Type', 'application/octet-stream')
        .send(Buffer.from(content)),
    usage: (run: RunAssignment, seq: number, usage: object = {}) =>
      about(run, 'usage').send({ seq, usage: { ...USAGE, ...usage } }),
    reserve: (run: RunAssignment, id: string, cents: number | null) =>
      about(run, 'reserve').send({ id, cents, provider: USAGE.provider, model: USAGE.model }),
    settle: (run: RunAssignment, id: string, costCents: number | null) =>
      about(run, 'settle').send({ id, usage: costCents === null ? null : { ...USAGE, costCents } }),
    end: (run: RunAssignment, outcome: RunOutcome = { status: 'succeeded', exitCode: 0 }) =>
      about(run, 'end').send({ outcome }),
    release: (run: RunAssignment, isFault = false) => about(run, 'release').send({ isFault }),
    session: (run: RunAssignment, id: string, directory: string) =>
      api
        .put(`/api/runner/runs/${run.runId}/session`)
        .set('Authorization', authorization)
        .set('X-Run-Ticket', run.ticket)
        .send({ id, directory }),
  };
}

export const USAGE = {
  provider: 'anthropic',
  model: 'm',
  inputTokens: 10,
  outputTokens: 2,
  costCents: 3,
};
