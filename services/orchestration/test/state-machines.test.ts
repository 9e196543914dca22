import type { IssueStatus } from '@switchyard/types';
import fc from 'fast-check';
import { type Harness, useHarness } from './harness';

/** A fixed seed makes failures reproducible; FUZZ_SEED sets another one. */
const RUNS = { numRuns: 25, seed: Number(process.env.FUZZ_SEED ?? 20_261_121) };

type Step<Model extends object, Real> = fc.AsyncCommand<Model, Real>;

function step<Model extends object, Real>(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
): Step<Model, Real> {
  return { check: () => true, run, toString: () => name };
}

const follows = <Model extends object, Real>(
  steps: Step<Model, Real>[],
  setup: () => Promise<{ model: Model; real: Real }>,
) =>
  fc.assert(
    fc.asyncProperty(
      fc.commands(
        steps.map((each) => fc.constant(each)),
        { maxCommands: 15 },
      ),
      (commands) => fc.asyncModelRun(setup, commands),
    ),
    RUNS,
  );

describe('the API under random sequences of calls', () => {
  const harness = useHarness();

  it('matches the model of approvals', async () => {
    type Model = { status: 'pending' | 'approved' | 'rejected' | 'revision_requested' };
    type Real = { path: string };
    const { api, build } = lazily(harness);
    const decide = (verb: string, to: Model['status']) =>
      step<Model, Real>(verb, async (model, { path }) => {
        const answer = await api().post(`${path}/${verb}`).send({});
        const allowed = model.status === 'pending';
        expect(answer.status).toBe(allowed ? 200 : 409);
        if (allowed) model.status = to;
        expect((await api().get(path)).body.status).toBe(model.status);
      });
    const resubmit = step<Model, Real>('resubmit', async (model, { path }) => {
      const answer = await api().post(`${path}/resubmit`).send({});
      const allowed = model.status === 'revision_requested';
      expect(answer.status).toBe(allowed ? 200 : 409);
      if (allowed) model.status = 'pending';
    });
    const steps = [
      decide('approve', 'approved'),
      decide('reject', 'rejected'),
      decide('request-revision', 'revision_requested'),
      resubmit,
    ];
    await follows(steps, async () => {
      const { id } = await build().company();
      const made = await api()
        .post(`/api/companies/${id}/approvals`)
        .send({ type: 'approve_ceo_strategy' });
      return { model: { status: 'pending' }, real: { path: `/api/approvals/${made.body.id}` } };
    });
  });

  it('matches the model of issues', async () => {
    type Model = { status: IssueStatus; assigned: boolean };
    type Real = { path: string; agentId: string };
    const { api, build } = lazily(harness);
    const UPDATES: Record<IssueStatus, IssueStatus[]> = {
      backlog: ['todo', 'cancelled'],
      todo: ['backlog', 'cancelled'],
      in_progress: ['in_review', 'blocked', 'cancelled'],
      in_review: ['done', 'in_progress', 'cancelled'],
      blocked: ['todo', 'cancelled'],
      done: [],
      cancelled: [],
    };
    const statuses = Object.keys(UPDATES) as IssueStatus[];
    const claimable = ['backlog', 'todo', 'blocked'];
    const update = (to: IssueStatus) =>
      step<Model, Real>(`to ${to}`, async (model, { path }) => {
        const answer = await api().patch(path).send({ status: to });
        const stays = model.status === to;
        const moves = UPDATES[model.status].includes(to);
        const byCheckout = to === 'in_progress' && claimable.includes(model.status);
        expect(answer.status).toBe(stays || moves ? 200 : byCheckout ? 409 : 422);
        if (moves) model.status = to;
        const { body } = await api().get(path);
        expect(body.status).toBe(model.status);
        expect(body.checkoutRunId).toBeNull();
        if (body.status === 'done') expect(body.completed_at).not.toBeNull();
        if (body.status === 'in_progress') expect(body.started_at).not.toBeNull();
      });
    const checkout = step<Model, Real>('checkout', async (model, { path, agentId }) => {
      const body = { agentId, expectedStatuses: ['backlog', 'todo', 'blocked'] };
      const answer = await api().post(`${path}/checkout`).send(body);
      const owns = model.status === 'in_progress' && model.assigned;
      const allowed = owns || claimable.includes(model.status);
      expect(answer.status).toBe(allowed ? 200 : 409);
      if (allowed) Object.assign(model, { status: 'in_progress', assigned: true });
    });
    const release = step<Model, Real>('release', async (model, { path }) => {
      const answer = await api().post(`${path}/release`).send({});
      expect(answer.status).toBe(200);
      if (model.status === 'in_progress' && model.assigned) {
        Object.assign(model, { status: 'todo', assigned: false });
      }
      expect((await api().get(path)).body.status).toBe(model.status);
    });
    await follows([...statuses.map(update), checkout, checkout, release], async () => {
      const agent = await build().agent();
      const issue = await build().issue({ companyId: agent.companyId });
      const real = { path: `/api/issues/${issue.id}`, agentId: agent.id };
      return { model: { status: 'backlog', assigned: false }, real };
    });
  });

  it('matches the model of agents', async () => {
    type Model = { status: 'idle' | 'paused' | 'terminated' };
    type Real = { path: string };
    const { api, build } = lazily(harness);
    const move = (verb: string, to: Model['status'], allowed: (model: Model) => boolean) =>
      step<Model, Real>(verb, async (model, { path }) => {
        const answer = await api().post(`${path}/${verb}`).send({});
        expect(answer.status).toBe(allowed(model) ? 200 : 409);
        if (allowed(model)) model.status = to;
        const { body } = await api().get(path);
        expect(body.status).toBe(model.status);
        expect(body.pauseReason).toBe(model.status === 'paused' ? 'manual' : null);
      });
    const invoke = step<Model, Real>('invoke', async (model, { path }) => {
      const answer = await api().post(`${path}/heartbeat/invoke`).send({});
      expect(answer.status).toBe(model.status === 'idle' ? 202 : 409);
      await harness.drain();
    });
    const key = step<Model, Real>('key', async (model, { path }) => {
      const answer = await api().post(`${path}/keys`).send({});
      expect(answer.status).toBe(model.status === 'terminated' ? 409 : 201);
    });
    const lives = (model: Model) => model.status !== 'terminated';
    const steps = [
      move('pause', 'paused', lives),
      move('resume', 'idle', lives),
      move('pause', 'paused', lives),
      move('terminate', 'terminated', () => true),
      invoke,
      key,
    ];
    await follows(steps, async () => {
      const agent = await build().agent();
      return { model: { status: 'idle' }, real: { path: `/api/agents/${agent.id}` } };
    });
  });
});

function lazily(harness: Harness) {
  return { api: () => harness.api, build: () => harness.build };
}
