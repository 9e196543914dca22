import { until } from '@switchyard/testing';
import type { FetchedRunView } from '@switchyard/types';
import { type ApiProcess, startApiProcess } from './api-process';
import { useHarness } from './harness';
import { openReceiver, WEBHOOK_SECRET } from './webhook-receiver';
import { startWorkerProcess, type WorkerProcess } from './worker-process';

const AGENTS = 20;
const ROUNDS = 50;
const KILL_EVERY = 100;

describe('callbacks of 1,000 runs while API and worker are killed', () => {
  const harness = useHarness();
  const processes = new Set<WorkerProcess>();
  const start = async <P extends WorkerProcess>(begin: Promise<P>) => {
    const started = await begin;
    processes.add(started);
    return started;
  };
  const kill = async (one: WorkerProcess) => {
    one.signal('SIGKILL');
    await one.ended;
    processes.delete(one);
  };
  afterEach(async () => {
    await Promise.all([...processes].map(kill));
  });

  it('all arrive, each with the result of its run and with the same body in every repetition', async () => {
    const { config, context, build } = harness;
    const receiver = await openReceiver();
    const accepted = new Map<string, string[]>();
    const attempts = new Map<string, number>();
    // Fails one request in five: with a 500, by closing the connection, or by never answering.
    let count = 0;
    receiver.answer = (call, response) => {
      const id = String(call.headers['webhook-id']);
      attempts.set(id, (attempts.get(id) ?? 0) + 1);
      count++;
      if (count % 15 === 0) return void response.writeHead(500).end();
      if (count % 15 === 5) return void response.destroy();
      receiver.verified(call);
      accepted.set(id, [...(accepted.get(id) ?? []), call.body]);
      if (count % 15 === 10) return void response.destroy();
      response.writeHead(204).end();
    };
    const companyId = (await build.company()).id;
    const agents = await Promise.all(
      Array.from({ length: AGENTS }, async () => {
        const agent = await build.agent({ companyId, adapterType: 'external' });
        return { id: agent.id, key: await build.apiKey(agent.id) };
      }),
    );
    let api: ApiProcess = await start(startApiProcess(config));
    let worker = await start(startWorkerProcess(config));
    const runIds: string[] = [];

    const finish = async ({ runId, runToken }: FetchedRunView) => {
      const path = `/api/heartbeat-runs/${runId}/finish`;
      const body = JSON.stringify({ status: 'succeeded', summary: `end of ${runId}` });
      const headers = {
        authorization: `Bearer ${runToken}`,
        'content-type': 'application/json',
      };
      const answer = await fetch(`${api.url}${path}`, { method: 'POST', headers, body }).catch(
        () => null,
      );
      if (answer?.ok) return;
      const again = await harness.api.post(path).set(headers).send(body);
      expect([200, 401, 409]).toContain(again.status);
    };
    let ended = 0;
    const serve = async ({ id, key }: { id: string; key: string }) => {
      for (let round = 0; round < ROUNDS; round++) {
        const fields = { callbackUrl: receiver.url, callbackSecret: WEBHOOK_SECRET };
        runIds.push((await build.queuedRun(id, fields)).id);
        const { body } = await harness.api
          .get('/api/agents/me/wakes')
          .set('Authorization', key)
          .expect(200);
        await finish(body);
        ended++;
        if (ended % KILL_EVERY === 0) {
          const [oldApi, oldWorker] = [api, worker];
          await Promise.all([kill(oldApi), kill(oldWorker)]);
          [api, worker] = await Promise.all([
            start(startApiProcess(config)),
            start(startWorkerProcess(config)),
          ]);
        }
      }
    };
    await Promise.all(agents.map(serve));

    const pending = async () => {
      await context.db.pool.query(
        `UPDATE delivery SET next_attempt_at = now() WHERE next_attempt_at > now() + interval '2 seconds'
           AND (attempts > 0 OR next_attempt_at < now() + interval '40 seconds')`,
      );
      return harness.db.delivery.count({ where: { status: { in: ['pending', 'waiting'] } } });
    };
    await until('all deliveries', async () => (await pending()) === 0);

    expect(runIds).toHaveLength(AGENTS * ROUNDS);
    expect(await harness.db.delivery.count({ where: { status: 'delivered' } })).toBe(1000);
    expect(accepted.size).toBe(1000);
    const calls = new Map<string, number>();
    for (const bodies of accepted.values()) {
      expect(new Set(bodies).size).toBe(1);
      const { handle, status } = JSON.parse(bodies[0] ?? '{}');
      expect(status).toBe('succeeded');
      calls.set(handle.id, (calls.get(handle.id) ?? 0) + 1);
    }
    expect([...calls.keys()].sort()).toEqual(runIds.sort());
    expect(new Set(calls.values())).toEqual(new Set([1]));
    const sent = [...attempts.values()].reduce((sum, one) => sum + one, 0);
    process.stdout.write(`1000 callbacks, ${sent} requests\n`);
    receiver.close();
  });
});
