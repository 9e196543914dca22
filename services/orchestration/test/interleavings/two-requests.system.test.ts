import { newId } from '@switchyard/db';
import type { RunAssignment } from '@switchyard/types';
import { processWakeup } from '../../src/features/wakes/process-wakeup';
import type { LiveRun } from '../builders';
import { runnerClient } from '../runner-client';
import { useOrders } from './orders';
import { as, type GatedSession, reply } from './sessions';

describe('two interleaved requests', () => {
  const { harness, sessions, sql, outcomesOf, read, runsOf } = useOrders(['a', 'b']);

  const processAgent = (more: object = {}) =>
    harness.build.agent({
      adapterType: 'process',
      adapterConfig: { command: 'true', runnerLabels: ['own'] },
      ...more,
    });

  /** An agent with a waiting run, and one runner of its company per session. */
  async function waitingRun() {
    const agent = await processAgent();
    await harness.build.queuedRun(agent.id);
    const runners = new Map<GatedSession, ReturnType<typeof runnerClient>>();
    for (const session of sessions) {
      const { body } = await harness.api
        .post(`/api/companies/${agent.companyId}/runners`)
        .send({ name: `of ${session.name}`, labels: ['own'] })
        .expect(201);
      const client = runnerClient(session, { token: body.token, labels: ['own'] });
      await client.hello().expect(200);
      runners.set(session, client);
    }
    const runnerOf = (session: GatedSession) => runners.get(session) as RunnerOf;
    const claim = async (session: GatedSession) => {
      const { status, body } = await runnerOf(session).ask({ free: 1 });
      return status === 200 ? (body.runs as RunAssignment[]).length : body.code;
    };
    return { agent, runnerOf, claim, read: () => runsOf(agent.id) };
  }
  type RunnerOf = ReturnType<typeof runnerClient>;

  async function claimedRun() {
    const waiting = await waitingRun();
    const [first] = sessions as [GatedSession];
    const { runs } = await waiting.runnerOf(first).next({ free: 1 });
    const run = runs[0] as RunAssignment;
    const end = (session: GatedSession) => reply(waiting.runnerOf(session).end(run));
    return { ...waiting, run, end };
  }

  const checkout = (issueId: string, run: LiveRun) => (session: Pick<GatedSession, 'api'>) =>
    reply(
      // The key makes the request use a transaction. A single statement would never wait for the
      // other request's lock.
      as(run, session.api.post(`/api/issues/${issueId}/checkout`))
        .set('Idempotency-Key', run.id)
        .send({ agentId: run.agent.id, expectedStatuses: ['todo'] }),
    );

  async function contested() {
    const one = await harness.build.liveRun();
    const { companyId } = one.agent;
    const two = await harness.build.liveRun({ companyId });
    const issue = await harness.build.issue({ companyId, status: 'todo' });
    const holder = async () => {
      const { status, checkoutRunId } = await read(`/api/issues/${issue.id}`);
      const held = { [one.id]: 'one', [two.id]: 'two' }[checkoutRunId] ?? null;
      return [status, held];
    };
    return { one, two, issue, holder };
  }

  it('let only one of two checkouts of an issue succeed', async () => {
    const found = await outcomesOf(async () => {
      const { one, two, issue, holder } = await contested();
      return {
        requests: [checkout(issue.id, one), checkout(issue.id, two)],
        read: holder,
      };
    });
    expect(found).toEqual([
      { answers: ['checked_out', 200], state: ['in_progress', 'two'] },
      { answers: [200, 'checked_out'], state: ['in_progress', 'one'] },
    ]);
  });

  it('allow a checkout only after the holder has released the issue', async () => {
    const found = await outcomesOf(async () => {
      const { one, two, issue, holder } = await contested();
      await checkout(issue.id, one)(harness);
      return {
        requests: [
          ({ api }) => reply(as(one, api.post(`/api/issues/${issue.id}/release`)).send({})),
          checkout(issue.id, two),
        ],
        read: holder,
      };
    });
    expect(found).toEqual([
      { answers: [200, 'checked_out'], state: ['todo', null] },
      { answers: [200, 200], state: ['in_progress', 'two'] },
    ]);
  });

  it('let only one of two runners claim a run', async () => {
    const found = await outcomesOf(async () => {
      const { claim, read } = await waitingRun();
      return { requests: [claim, claim], read };
    });
    expect(found).toEqual([
      { answers: [0, 1], state: ['running'] },
      { answers: [1, 0], state: ['running'] },
    ]);
  });

  it('let a runner claim a run only before the run’s agent is paused', async () => {
    const found = await outcomesOf(async () => {
      const { agent, claim, read } = await waitingRun();
      const pause = ({ api }: GatedSession) =>
        reply(api.post(`/api/agents/${agent.id}/pause`).send({}));
      return { requests: [claim, pause], read };
    });
    expect(found).toEqual([
      { answers: [0, 200], state: ['cancelled'] },
      { answers: [1, 200], state: ['running'] },
    ]);
  });

  it('reserve only one of two model calls if the budget covers only one call', async () => {
    const found = await outcomesOf(async () => {
      const { agent, run, runnerOf } = await claimedRun();
      await harness.api
        .patch(`/api/agents/${agent.id}`)
        .send({ budgetMonthlyCents: 10 })
        .expect(200);
      const token = runnerOf(sessions[0] as GatedSession).authorization.slice('Bearer '.length);
      const reserve = async (session: GatedSession) => {
        const answer = await runnerClient(session, { token }).reserve(run, newId(), 6);
        return answer.body.outcome;
      };
      return {
        requests: [reserve, reserve],
        read: async () => {
          const rows = await sql(`SELECT cents FROM reservation WHERE run_id = $1`, run.runId);
          return rows.map(({ cents }) => Number(cents));
        },
      };
    });
    expect(found).toEqual([
      { answers: ['reserved', 'waits'], state: [6] },
      { answers: ['waits', 'reserved'], state: [6] },
    ]);
  });

  it('let either the runner end a run with an expired lease, or another runner take it over', async () => {
    const found = await outcomesOf(async () => {
      const { run, end, claim, read } = await claimedRun();
      await sql(
        `UPDATE heartbeat_run SET lease_expires_at = now() - interval '1 s' WHERE id = $1`,
        run.runId,
      );
      return { requests: [end, claim], read };
    });
    expect(found).toEqual([
      { answers: ['stale_ticket', 1], state: ['running'] },
      { answers: [204, 0], state: ['succeeded'] },
    ]);
  });

  it('queue one more run for a mention that arrives while a run ends', async () => {
    const found = await outcomesOf(async () => {
      const { agent, end } = await claimedRun();
      const issue = await harness.build.issue({ companyId: agent.companyId });
      const mention = ({ api }: GatedSession) =>
        reply(api.post(`/api/issues/${issue.id}/comments`).send({ body: `@${agent.name} please` }));
      return {
        requests: [end, mention],
        read: async () => {
          const wakes = await sql('SELECT id FROM agent_wakeup WHERE agent_id = $1', agent.id);
          for (const { id } of wakes) await processWakeup(harness.context, id);
          return runsOf(agent.id);
        },
      };
    });
    expect(found).toEqual([{ answers: [204, 201], state: ['queued', 'succeeded'] }]);
  });

  it('let only one of two decisions on an approval succeed', async () => {
    const decidedBy = (verb: string) =>
      outcomesOf(async () => {
        const { id: companyId } = await harness.build.company();
        const { body } = await harness.api
          .post(`/api/companies/${companyId}/approvals`)
          .send({ type: 'approve_ceo_strategy', payload: { plan: 'Grow' } })
          .expect(201);
        const decide =
          (verb: string) =>
          ({ api }: GatedSession) =>
            reply(api.post(`/api/approvals/${body.id}/${verb}`).send({}));
        return {
          requests: [decide('approve'), decide(verb)],
          read: async () => (await read(`/api/approvals/${body.id}`)).status,
        };
      });
    const allowed = [
      { answers: ['not_pending', 200], state: 'rejected' },
      { answers: [200, 'not_pending'], state: 'approved' },
    ];
    expect(await decidedBy('reject')).toEqual(allowed);
    expect(await decidedBy('withdraw')).toEqual(allowed);
  });

  it('create one issue if they have the same idempotency key', async () => {
    const found = await outcomesOf(async () => {
      const { id: companyId } = await harness.build.company();
      const create = ({ api }: GatedSession) =>
        reply(
          api
            .post(`/api/companies/${companyId}/issues`)
            .set('Idempotency-Key', `key-${companyId}`)
            .send({ title: 'Once' }),
        );
      return {
        requests: [create, create],
        read: async () => (await read(`/api/companies/${companyId}/issues`)).length,
      };
    });
    expect(found).toEqual([{ answers: [201, 201], state: 1 }]);
  });

  it('wake the assignee once if they end the last two blockers', async () => {
    const found = await outcomesOf(async () => {
      const agent = await processAgent({ wakeOnAssignment: true });
      const { companyId } = agent;
      const [one, two] = [
        await harness.build.issue({ companyId }),
        await harness.build.issue({ companyId }),
      ];
      await harness.build.issue({
        companyId,
        blockedBy: [one.id, two.id],
        assigneeAgentId: agent.id,
        status: 'todo',
      });
      const end =
        (id: string) =>
        ({ api }: GatedSession) =>
          reply(api.post(`/api/issues/${id}/complete`).send({}));
      return {
        requests: [end(one.id), end(two.id)],
        read: async () => {
          const wakes = await sql(
            `SELECT reason FROM agent_wakeup WHERE agent_id = $1 ORDER BY reason`,
            agent.id,
          );
          return wakes.map(({ reason }) => reason);
        },
      };
    });
    expect(found).toEqual([{ answers: [200, 200], state: ['blockers_ended'] }]);
  });

  it('let a webhook fire with the old secret only before the rotation', async () => {
    const found = await outcomesOf(async () => {
      const routine = await harness.build.routine();
      const trigger = await harness.build.trigger(routine.id, { kind: 'webhook' });
      const rotate = ({ api }: GatedSession) =>
        reply(api.post(`/api/routine-triggers/${trigger.id}/rotate-secret`).send({}));
      const fire = ({ api }: GatedSession) =>
        reply(
          api
            .post(`/api/routine-triggers/public/${trigger.publicId}/fire`)
            .set('Authorization', `Bearer ${trigger.secret}`)
            .send({}),
        );
      return {
        requests: [rotate, fire],
        read: async () => (await read(`/api/routines/${routine.id}/runs`)).length,
      };
    });
    expect(found).toEqual([
      { answers: [200, 'invalid_signature'], state: 0 },
      { answers: [200, 202], state: 1 },
    ]);
  });

  it('store one callback and queue one more run for an invocation that arrives while a run ends', async () => {
    const found = await outcomesOf(async () => {
      const { agent, end } = await claimedRun();
      const callback = {
        callbackUrl: 'http://127.0.0.1:9/x',
        callbackSecret: `whsec_${'A'.repeat(32)}`,
      };
      const invoke = ({ api }: GatedSession) =>
        reply(api.post(`/api/agents/${agent.id}/heartbeat/invoke`).send(callback));
      return {
        requests: [end, invoke],
        read: async () => {
          const deliveries = await sql(
            'SELECT id FROM delivery WHERE company_id = $1',
            agent.companyId,
          );
          return { deliveries: deliveries.length, runs: await runsOf(agent.id) };
        },
      };
    });
    expect(found).toEqual([
      { answers: [204, 202], state: { deliveries: 1, runs: ['queued', 'succeeded'] } },
    ]);
  });
});
