import { randomBytes } from 'node:crypto';
import type { RedeemedTicketView, RunAssignment } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { runnerClient, WITH_RUNNERS } from '../../../test/runner-client';
import { newTicket } from '../../access/credentials/run-pod-tickets';
import { enterPodInstance, POD_RUNNER_NAME } from '../../state/runners/pod-instance';
import { POD_INSTANCE } from '../../state/runs/claims/pod-instance';
import { claimNextRun } from '../runs/claim/claim-next-run';
import { createRunSlots } from '../runs/claim/run-slots';

describe('the ticket of a run pod', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const newKey = () => randomBytes(32).toString('base64url');
  const redeem = (ticket: string, key: string) =>
    harness.runners
      .post('/api/runner/redeem')
      .set('Authorization', `Bearer ${ticket}`)
      .send({ key });

  const place = async ({ leaseMs = 60_000 } = {}) => {
    await enterPodInstance(harness.context.db, { labels: [], capacity: 8 });
    const agent = await harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: 'true' },
    });
    await harness.build.queuedRun(agent.id);
    const ticket = newTicket();
    const taken = await claimNextRun(
      {
        context: harness.context,
        workerId: 'w',
        slots: createRunSlots(8),
        runner: {
          taker: { kind: 'runner', labels: [], companyId: null },
          instance: POD_INSTANCE,
          ticketHash: ticket.hash,
          leaseMs,
        },
      },
      null,
    );
    if (!taken) throw new Error('there was nothing to claim');
    return { run: taken.run, ticket: ticket.of(taken.run) };
  };
  const about = ({ runId, ticket }: RunAssignment, what: string, bearer: string) =>
    harness.runners
      .post(`/api/runner/runs/${runId}/${what}`)
      .set('Authorization', `Bearer ${bearer}`)
      .set('X-Run-Ticket', ticket);
  const leases = (instance: string, runs: { runId: string; epoch: number }[], bearer: string) =>
    harness.runners
      .post('/api/runner/leases')
      .set('Authorization', `Bearer ${bearer}`)
      .send({ instance, runs: runs.map(({ runId, epoch }) => ({ runId, epoch })) });

  afterEach(async () => {
    await harness.db.heartbeatRun.updateMany({
      where: { status: { in: ['queued', 'running'] } },
      data: { status: 'cancelled', finishedAt: new Date() },
    });
  });

  it('can be exchanged for the run and a key that is valid until the run ends', async () => {
    const { run, ticket } = await place();
    const key = newKey();
    const { body } = await redeem(ticket, key).expect(200);
    const { assignment, instance } = body as RedeemedTicketView;
    expect(assignment).toMatchObject({ runId: run.id, epoch: run.epoch, ticket: key });
    const bearer = `syk_${run.id}.${key}`;
    const held = await leases(instance, [assignment], bearer).expect(200);
    expect(held.body.runs).toEqual([{ runId: run.id, state: 'held' }]);
    await about(assignment, 'log?offset=0', bearer)
      .set('Content-Type', 'application/octet-stream')
      .send(Buffer.from('done'))
      .expect(200);
    const outcome = { status: 'succeeded', exitCode: 0 };
    await about(assignment, 'end', bearer).send({ outcome }).expect(204);
    await about(assignment, 'end', bearer).send({ outcome }).expect(204);
    const ended = await harness.api.get(`/api/heartbeat-runs/${run.id}`).expect(200);
    expect(ended.body).toMatchObject({ status: 'succeeded', logBytes: 4 });
  });

  it('can be redeemed only once, except by a repeated call with the same key', async () => {
    const { run, ticket } = await place();
    const key = newKey();
    const tries = await Promise.all([redeem(ticket, key), redeem(ticket, newKey())]);
    expect(tries.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    const first = tries.find(({ status }) => status === 200);
    const won = first?.body.assignment.ticket;
    await redeem(ticket, won).expect(401);
    const again = await redeem(`syk_${run.id}.${won}`, won).expect(200);
    expect(again.body.assignment).toMatchObject({ runId: run.id, ticket: won });
  });

  it('cannot be redeemed after it has expired or after the run was claimed again', async () => {
    const expired = await place({ leaseMs: 1 });
    await redeem(expired.ticket, newKey()).expect(401);
    const { run, ticket } = await place();
    const data = { epoch: run.epoch + 1 };
    await harness.db.heartbeatRun.update({ where: { id: run.id }, data });
    await redeem(ticket, newKey()).expect(401);
    await redeem(ticket.replace(/\.\d+\./, `.${run.epoch + 1}.`).slice(0, -1), newKey()).expect(
      401,
    );
  });

  it('can only be redeemed: every other call rejects it and its secret', async () => {
    const { run, ticket } = await place();
    const secret = ticket.split('.')[2] ?? '';
    const assignment = { runId: run.id, epoch: run.epoch, ticket: secret } as RunAssignment;
    const outcome = { status: 'succeeded', exitCode: 0 };
    await about(assignment, 'end', ticket).send({ outcome }).expect(409);
    await about(assignment, 'end', `syk_${run.id}.${secret}`).send({ outcome }).expect(401);
    const lost = await leases(POD_INSTANCE, [assignment], ticket).expect(200);
    expect(lost.body.runs).toEqual([{ runId: run.id, state: 'lost' }]);
  });

  it('gives no access to other runs or to other routes for runners', async () => {
    const [one, other] = [await place(), await place()];
    const keys = [newKey(), newKey()] as const;
    const [mine, theirs] = [
      (await redeem(one.ticket, keys[0]).expect(200)).body as RedeemedTicketView,
      (await redeem(other.ticket, keys[1]).expect(200)).body as RedeemedTicketView,
    ];
    const bearer = `syk_${one.run.id}.${keys[0]}`;
    const both = [mine.assignment, theirs.assignment];
    const { body } = await leases(mine.instance, both, bearer).expect(200);
    expect(body.runs).toEqual([
      { runId: one.run.id, state: 'held' },
      { runId: other.run.id, state: 'lost' },
    ]);
    await about(theirs.assignment, 'release', bearer).send({ isFault: false }).expect(409);
    const pod = runnerClient(harness, { token: bearer });
    await pod.hello().expect(403);
    await pod.ask().expect(403);
    await pod.post('folders', { runIds: [one.run.id], agentIds: [] }).expect(403);
    await pod.post(`checks/${one.run.id}`, { findings: [] }).expect(403);
  });

  it('can be redeemed only with a key of full length, and only by a run pod', async () => {
    const { ticket } = await place();
    await redeem(ticket, 'short').expect(400);
    await runnerClient(harness).post('redeem', { key: newKey() }).expect(409);
    await runnerClient(harness, { name: POD_RUNNER_NAME }).hello().expect(409);
  });

  it('can be redeemed even if a company tries to register the instance of the run pods', async () => {
    await harness.db.runnerInstance.deleteMany({ where: { id: POD_INSTANCE } });
    const { id } = await harness.build.company();
    const { body } = await harness.api.post(`/api/companies/${id}/runners`).send({ name: 'Desk' });
    for (const runner of [runnerClient(harness, { token: body.token }), runnerClient(harness)]) {
      for (const instance of [POD_INSTANCE, POD_INSTANCE.toUpperCase()]) {
        const refused = await runner.hello({ instance }).expect(409);
        expect(refused.body.code).toBe('conflict');
      }
    }
    const { run, ticket } = await place();
    const key = newKey();
    const { assignment, instance } = (await redeem(ticket, key).expect(200)).body;
    const held = await leases(instance, [assignment], `syk_${run.id}.${key}`).expect(200);
    expect(held.body.runs).toEqual([{ runId: run.id, state: 'held' }]);
  });
});
