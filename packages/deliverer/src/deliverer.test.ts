import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { createConnector, type Due, deliverDue, type Outbox, type Outcome } from '.';

const KEYS = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const SECRETS = KEYS.map((key) => `whsec_${key.toString('base64')}`);
const logger = { debug() {}, info() {}, warn() {}, error() {} };

describe('deliverDue', () => {
  const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  let answer: (path: string, response: ServerResponse) => void;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url ?? '';
    received.push({ path, headers: request.headers, body });
    answer(path, response);
  });
  let url = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    received.length = 0;
    answer = (_path, response) => response.writeHead(204).end();
  });

  const due = (queue: string, fields: Partial<Due> = {}): Due => ({
    id: `${queue}-${Math.random()}`,
    ...{ queue, webhookId: `evt_${queue}`, attempts: 0, url: `${url}/${queue}` },
    owner: queue,
    ...{ keys: KEYS, body: '{"type":"run.ended"}', ...fields },
  });

  function outboxOf(waiting: Due[]) {
    const outcomes = new Map<string, Outcome[]>();
    const outbox: Outbox<Due> = {
      claim: async ({ room, perOwner, except, exceptOwners }) => {
        const seen = new Set(except);
        const ofOwner = new Map<string, number>();
        const taken = waiting
          .filter(({ queue }) => !seen.has(queue) && seen.add(queue))
          .filter(({ owner }) => {
            const count = (ofOwner.get(owner) ?? 0) + 1;
            ofOwner.set(owner, count);
            return !exceptOwners.includes(owner) && count <= perOwner;
          })
          .slice(0, room);
        for (const one of taken) waiting.splice(waiting.indexOf(one), 1);
        return taken;
      },
      settle: async ({ queue }, outcome) =>
        void outcomes.set(queue, [...(outcomes.get(queue) ?? []), outcome]),
    };
    return { outbox, outcomes };
  }

  async function deliver(waiting: Due[], options: { timeoutMs?: number; now?: Date } = {}) {
    const { outbox, outcomes } = outboxOf(waiting);
    const { now = new Date(), ...rest } = options;
    const delivered = await deliverDue({
      ...{ outbox, logger, perQueue: 4, now: () => now, ...rest },
      connect: (_due, signal) => createConnector({ signal, timeoutMs: 0 }),
    });
    return { delivered, outcomes };
  }

  it('signs with every key, and the official library verifies each signature', async () => {
    expect((await deliver([due('a')])).delivered).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    for (const secret of SECRETS) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
        type: 'run.ended',
      });
    }
    const verify = (secret: string, text: string, changed: object) => () =>
      new Webhook(secret).verify(text, { ...headers, ...changed } as Record<string, string>);
    const [secret = ''] = SECRETS;
    expect(verify(`whsec_${Buffer.alloc(32, 3).toString('base64')}`, body, {})).toThrow();
    expect(verify(secret, `${body} `, {})).toThrow();
    expect(verify(secret, body, { 'webhook-id': 'evt_b' })).toThrow();
    expect(verify(secret, body, { 'webhook-timestamp': '1600000000' })).toThrow('too old');
  });

  it('signs the time of the request, so that the library rejects an old request', async () => {
    await deliver([due('a')], { now: new Date(Date.now() - 301_000) });
    const [{ headers, body } = { headers: {}, body: '' }] = received;
    const verifier = new Webhook(SECRETS[0] ?? '');
    expect(() => verifier.verify(body, headers as Record<string, string>)).toThrow('too old');
  });

  it('sends no signature without a key', async () => {
    await deliver([due('a', { keys: [] })]);
    expect(received[0]?.headers['webhook-signature']).toBeUndefined();
    expect(received[0]?.headers['webhook-id']).toBe('evt_a');
  });

  it.each([
    [204, {}, { kind: 'delivered', status: 204, error: null }],
    [302, { Location: '/elsewhere' }, { kind: 'retry', status: 302, error: 'HTTP 302' }],
    [410, {}, { kind: 'gone', status: 410 }],
    [500, {}, { kind: 'retry', status: 500 }],
  ])('reports the response %i with the headers %j as %j', async (status, headers, expected) => {
    answer = (_path, response) => response.writeHead(status, headers).end('words');
    const { outcomes } = await deliver([due('a')]);
    expect(outcomes.get('a')).toMatchObject([{ ...expected, text: status === 204 ? '' : 'words' }]);
    expect(received).toHaveLength(1);
  });

  it('retries nine times, with delays from 5 s to 24 h, each increased by up to 10 %', async () => {
    answer = (_path, response) => response.writeHead(500).end();
    const pauses: number[] = [];
    for (let attempts = 0; attempts < 10; attempts++) {
      const { outcomes } = await deliver([due('a', { attempts })]);
      const [outcome] = outcomes.get('a') ?? [];
      if (outcome?.kind !== 'retry') {
        expect([attempts, outcome?.kind]).toEqual([9, 'given_up']);
        continue;
      }
      pauses.push(outcome.afterMs / 1000);
    }
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(pauses).toHaveLength(9);
    for (const [index, least] of seconds.entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(least);
      expect(pauses[index]).toBeLessThanOrEqual(least * 1.1);
    }
  });

  it.each([
    ['3', 5_000],
    ['600', 600_000],
    ['9999999', 86_400_000],
  ])('given Retry-After: %s, waits at least %i ms', async (value, leastMs) => {
    answer = (_path, response) => response.writeHead(503, { 'Retry-After': value }).end();
    const { outcomes } = await deliver([due('a')]);
    const [outcome] = outcomes.get('a') ?? [];
    expect(outcome?.kind === 'retry' && outcome.afterMs).toBeGreaterThanOrEqual(leastMs);
    expect(outcome?.kind === 'retry' && outcome.afterMs).toBeLessThanOrEqual(leastMs * 1.1);
  });

  it.each([
    [200, 'delivered'],
    [500, 'retry'],
  ])('reports the status %i as %s even if the body does not end in time', async (status, kind) => {
    answer = (_path, response) => response.writeHead(status).write('half');
    const { outcomes } = await deliver([due('a')], { timeoutMs: 250 });
    expect(outcomes.get('a')).toMatchObject([{ kind, text: 'half' }]);
  });

  it('omits the URL when it reports a timeout or a connection error', async () => {
    answer = () => undefined;
    const { outcomes } = await deliver([due('hangs')], { timeoutMs: 50 });
    expect(outcomes.get('hangs')).toMatchObject([
      { kind: 'retry', status: null, error: 'no response in time' },
    ]);
    const dead = due('dead', { url: 'http://127.0.0.1:1/secret-path' });
    const { outcomes: others } = await deliver([dead]);
    expect(others.get('dead')).toMatchObject([{ error: 'no response (ECONNREFUSED)' }]);
  });

  it('uses at most one connection for a receiver that has become slow', async () => {
    const { outbox, outcomes } = outboxOf(Array.from({ length: 8 }, () => due('slow')));
    const underWay: number[] = [];
    let claimed = 0;
    await deliverDue({
      ...{ logger, perQueue: 4, now: () => new Date(), slowMs: 0 },
      connect: (_due, signal) => createConnector({ signal, timeoutMs: 0 }),
      outbox: {
        ...outbox,
        claim: async (options) => {
          const found = await outbox.claim(options);
          claimed += found.length;
          if (found.length > 0) underWay.push(claimed - (outcomes.get('slow')?.length ?? 0));
          return found;
        },
      },
    });
    expect(underWay).toEqual([1, 2, 3, 4, 1, 1, 1, 1]);
  });

  it('delivers to all other receivers while one receiver keeps its connections open', async () => {
    const held: ServerResponse[] = [];
    const others = Array.from({ length: 50 }, (_, at) => due(`q${at % 5}`));
    const dead = Array.from({ length: 100 }, () => due('dead'));
    answer = (path, response) => {
      if (path === '/dead') held.push(response);
      else response.writeHead(200).end();
      const seen = received.filter((one) => one.path !== '/dead').length;
      if (seen === 50) for (const one of held.splice(0)) one.writeHead(500).end();
    };
    const { delivered, outcomes } = await deliver([...dead, ...others]);
    expect(delivered).toBe(50);
    expect(outcomes.get('dead')).toHaveLength(100);
  });

  it('delivers to other owners while the receivers of one owner keep connections open', async () => {
    const held: ServerResponse[] = [];
    const dead = Array.from({ length: 100 }, (_, at) => due(`dead${at}`, { owner: 'busy' }));
    const others = Array.from({ length: 20 }, (_, at) => due(`q${at % 2}`, { owner: 'other' }));
    answer = (path, response) => {
      if (path.startsWith('/dead')) held.push(response);
      else response.writeHead(200).end();
      const seen = received.filter((one) => one.path.startsWith('/q')).length;
      if (seen === 20) for (const one of held.splice(0)) one.writeHead(500).end();
    };
    const { delivered, outcomes } = await deliver([...dead, ...others]);
    expect(delivered).toBe(20);
    const ends = [...outcomes.values()].flat().map(({ status }) => status);
    expect(ends.filter((status) => status === null)).toEqual([]);
  });

  it('uses at most a quarter of the connections for slow receivers of one owner', async () => {
    const queues = Array.from({ length: 60 }, (_, at) => `slow${at}`);
    const twice = [...queues, ...queues].map((queue) => due(queue, { owner: 'busy' }));
    const { outbox, outcomes } = outboxOf(twice);
    const underWay: number[] = [];
    let again = 0;
    await deliverDue({
      ...{ logger, perQueue: 1, now: () => new Date(), slowMs: 0 },
      connect: (_due, signal) => createConnector({ signal, timeoutMs: 0 }),
      outbox: {
        claim: async (options) => {
          const found = await outbox.claim(options);
          again += found.filter(({ queue }) => outcomes.has(queue)).length;
          const ended = [...outcomes.values()].filter(({ length }) => length === 2).length;
          underWay.push(again - ended);
          return found;
        },
        settle: outbox.settle,
      },
    });
    expect(again).toBe(60);
    expect(Math.max(...underWay)).toBeLessThan(16);
  });
});
