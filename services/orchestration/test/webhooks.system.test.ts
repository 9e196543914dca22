import { openGate, redisUrl, until } from '@switchyard/testing';
import { Redis } from 'ioredis';
import { useHarness } from './harness';
import { openReceiver, type ReceivedCall, WEBHOOK_SECRET } from './webhook-receiver';
import { startWorkerProcess, type WorkerProcess } from './worker-process';

const EVENTS = 2_000;
const KILLS = 4;

const ACTIVITY = `
  INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id)
  SELECT gen_random_uuid(), $1, 'system', 'issue.updated', 'issue', gen_random_uuid()::text FROM generate_series(1, $2)`;

type Answer = Parameters<Awaited<ReturnType<typeof openReceiver>>['answer']>;

const MANNERS: Record<string, (...answer: Answer) => void> = {
  good: (_call, response) => void response.writeHead(204).end(),
  failing: (_call, response) => void response.writeHead(500).end(),
  hanging: () => undefined,
  redirecting: (_call, response) =>
    void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  cutting: (_call, response) => void response.destroy(),
};

/** Uses a separate Redis database, because the test empties it. */
const OWN_REDIS = Object.assign(new URL(redisUrl()), { pathname: '/6' }).href;

describe('10,000 webhook deliveries while workers are killed and Redis loses its data', () => {
  const harness = useHarness({ config: { redisUrl: OWN_REDIS } });
  let worker: WorkerProcess | null = null;
  afterEach(async () => {
    worker?.signal('SIGKILL');
    await worker?.ended;
  });

  it('all arrive with one body per id, and failing receivers do not delay other receivers', async () => {
    const { api, build, config, context } = harness;
    const receiver = await openReceiver();
    const accepted = new Map<string, Map<string, string>>();
    let areMended = false;
    let requests = 0;
    const accept = (name: string, call: ReceivedCall) => {
      const id = String(call.headers['webhook-id']);
      receiver.verified(call);
      const bodies = accepted.get(name) ?? new Map<string, string>();
      expect(bodies.get(id) ?? call.body).toBe(call.body);
      accepted.set(name, bodies.set(id, call.body));
    };
    receiver.answer = (call, response) => {
      const name = call.path.slice(1);
      requests++;
      const manner = areMended ? MANNERS.good : MANNERS[name];
      if (manner === MANNERS.good) accept(name, call);
      manner?.(call, response);
    };
    const ids: string[] = [];
    for (const name of [...Object.keys(MANNERS), 'gone']) {
      const { id: companyId } = await build.company();
      const url = `${receiver.url}/${name}`;
      const body = { url, secret: WEBHOOK_SECRET };
      const made = await api.post(`/api/companies/${companyId}/endpoints`).send(body).expect(201);
      await context.db.pool.query(ACTIVITY, [companyId, name === 'gone' ? 50 : EVENTS]);
      ids.push(made.body.id);
    }
    MANNERS.gone = (_call, response) => void response.writeHead(410).end();
    const gate = await openGate(OWN_REDIS);
    const redis = new Redis(OWN_REDIS);
    const start = () => startWorkerProcess(config, { REDIS_URL: gate.url });
    worker = await start();
    const restart = async () => {
      worker?.signal('SIGKILL');
      await worker?.ended;
      await gate.open();
      worker = await start();
    };

    const begun = performance.now();
    const count = (name: string) => accepted.get(name)?.size ?? 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      await until('some deliveries', () => count('good') >= (EVENTS * kill) / (KILLS + 1));
      await restart();
      await gate.shut();
      await redis.flushdb();
      await context.db.pool.query(
        `UPDATE delivery SET next_attempt_at = now() WHERE next_attempt_at > now() AND attempts = 0`,
      );
    }
    await until('all deliveries to the good receiver', () => count('good') === EVENTS);
    await gate.open();
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    expect(count('hanging')).toBe(0);

    areMended = true;
    await context.db.pool.query(
      `UPDATE delivery SET next_attempt_at = now() WHERE next_attempt_at > now() AND attempts > 0`,
    );
    const left = () => harness.db.delivery.count({ where: { status: 'pending' } });
    for (let most = await left(); most > 0; most -= 250) {
      await until('a part of the rest', async () => (await left()) < most);
    }
    await until('all deliveries', async () => (await left()) === 0);
    for (const name of ['good', 'failing', 'hanging', 'redirecting', 'cutting']) {
      expect({ name, accepted: count(name) }).toEqual({ name, accepted: EVENTS });
    }
    expect(count('gone')).toBe(0);
    const gone = await api.get(`/api/endpoints/${ids.at(-1)}`).expect(200);
    expect(gone.body).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    process.stdout.write(
      `10000 deliveries, ${requests} requests; ${EVENTS} to the good one in ${seconds} s\n`,
    );
    receiver.close();
    redis.disconnect();
    await gate.close();
  });
});
