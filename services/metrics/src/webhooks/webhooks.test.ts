import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clockAt, recordingLogger } from '../../test/harness';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../test/shared-database';
import { startBackground } from '../background';
import { readConfig } from '../config';
import { ExchangeFailure } from '../exchange/failure';
import type { Exchange } from '../exchange/port';
import { createBooks } from '../exchange/simulated/books';
import { createSimulatedExchange } from '../exchange/simulated/simulated-exchange';
import { deliverWebhooks } from './deliver';
import { forgetEvents } from './outbox';

const KEY = Buffer.alloc(32, 5);
const HOUR = 3_600_000;

interface Call {
  headers: IncomingHttpHeaders;
  body: string;
}

describe('webhooks', () => {
  const clock = clockAt('2026-03-02T00:00:30.000Z');
  const { logger, lines } = recordingLogger();
  const received: Call[] = [];
  let beforeAnswer: () => Promise<void>;
  let answer: number | null;
  let isAway: boolean;
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    await beforeAnswer();
    if (answer === null) return void request.socket.destroy();
    response.writeHead(answer, answer === 302 ? { Location: '/elsewhere' } : {}).end('ok');
  });
  let database: SharedDatabase;
  let service: SharedHarness;
  let env: Record<string, string>;

  const failing = (db: Parameters<typeof createBooks>[0]): Exchange => {
    const exchange = createSimulatedExchange({ seed: 7, clock, books: createBooks(db) });
    const away = new ExchangeFailure('unavailable', 'balance', 'away');
    return {
      ...exchange,
      balance: async (signal) => (isAway ? Promise.reject(away) : exchange.balance(signal)),
    };
  };

  beforeAll(async () => {
    database = await openSharedDatabase();
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    env = {
      METRICS_SYMBOLS: 'BTC/USDT',
      METRICS_WEBHOOK_URL: `http://127.0.0.1:${port}/token-of-the-receiver`,
      METRICS_WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}`,
    };
  });
  afterAll(async () => {
    receiver.close();
    await database.drop();
  });
  beforeEach(async () => {
    clock.set('2026-03-02T00:00:30.000Z');
    received.length = 0;
    answer = 200;
    beforeAnswer = async () => undefined;
    isAway = false;
    service = await database.start({ env, context: { clock, exchange: failing, logger } });
  });
  afterEach(() => service.close());

  const collect = () => service.http.post('/metrics/collect').send({}).expect(200);
  const deliver = () => deliverWebhooks(service.context);
  const told = () => received.map(({ body }) => JSON.parse(body));

  it('report the failure and the recovery of a component once each, in signed requests', async () => {
    await collect();
    isAway = true;
    const { body } = await collect();
    await collect();
    isAway = false;
    await collect();
    expect(await deliver()).toBe(2);
    expect(await deliver()).toBe(0);
    expect(told()).toMatchObject([
      {
        type: 'component.failed',
        timestamp: '2026-03-02T00:00:30.000Z',
        data: {
          ...{ component: 'account_balance', collection_id: body.collection_id },
          ...{ exchange: 'simulated', simulated: true, failures: [{ code: 'unavailable' }] },
        },
      },
      { type: 'component.recovered', data: { component: 'account_balance', status: 'ok' } },
    ]);
    for (const { headers, body } of received) {
      const [id, at] = [headers['webhook-id'], headers['webhook-timestamp']];
      const hmac = createHmac('sha256', KEY).update(`${id}.${at}.${body}`).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${hmac}`);
      expect(Number(at) * 1000).toBe(Math.floor(clock.now().getTime() / 1000) * 1000);
    }
  });

  it('report a confirmed regime and a grid out of range, once each', async () => {
    const { body } = await service.http.post('/grids/create').send({
      ...{ name: 'g', symbol: 'BTC/USDT', lower_price: 200_000, upper_price: 260_000 },
      ...{ grid_count: 4, order_amount: 0.01 },
    });
    for (let hour = 0; hour < 4; hour++) {
      await collect();
      clock.forward(HOUR);
    }
    await deliver();
    const events = told().sort((one, other) => (one.type < other.type ? -1 : 1));
    expect(events).toMatchObject([
      {
        type: 'grid.out_of_range',
        data: { grid_id: body.grid_id, name: 'g', side: 'below', lower_price: '200000' },
      },
      { type: 'regime.confirmed', data: { symbol: 'BTC/USDT', timeframe: '1h', before: null } },
    ]);
    const [{ confirmed_label: label }] = (await service.http.get('/regime/current')).body.items;
    expect(events[1].data.label).toBe(label);
  });

  it.each([500, 302, null])(
    'have the same id and growing pauses when they are repeated after the response %s',
    async (status) => {
      answer = status;
      isAway = true;
      await collect();
      const pauses: number[] = [];
      for (let attempt = 0; attempt < 5; attempt++) {
        expect(await deliver()).toBe(0);
        expect(await deliver()).toBe(0);
        const [row] = await service.rows('SELECT next_attempt_at FROM webhook_event');
        const pause = row.next_attempt_at.getTime() - clock.now().getTime();
        pauses.push(pause);
        clock.forward(pause);
      }
      expect(pauses.every((pause, index) => index === 0 || pause > (pauses[index - 1] ?? 0))).toBe(
        true,
      );
      const { components } = (await service.http.get('/health')).body;
      expect(components.webhooks).toMatchObject({
        status: 'degraded',
        waiting: 1,
        last_error: expect.any(String),
      });
      const { text } = await service.http.get('/metrics');
      expect(text).toMatch(/^marketmetrics_webhooks_waiting 1$/m);
      expect(text).toMatch(/^marketmetrics_webhooks_oldest_age_seconds \d{2}/m);
      expect((await service.http.get('/dashboard/state')).body.warnings.join()).toMatch(
        /webhooks are not delivered/,
      );
      answer = 204;
      expect(await deliver()).toBe(1);
      expect(received).toHaveLength(6);
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);
      expect(lines.join()).not.toContain('token-of-the-receiver');
    },
  );

  it('end after ten attempts over three days, and are deleted after seven days', async () => {
    answer = 500;
    isAway = true;
    await collect();
    const begun = clock.now().getTime();
    for (;;) {
      expect(await deliver()).toBe(0);
      const [row] = await service.rows('SELECT next_attempt_at FROM webhook_event');
      if (row.next_attempt_at === null) break;
      clock.set(row.next_attempt_at.toISOString());
    }
    expect(received).toHaveLength(10);
    expect((clock.now().getTime() - begun) / HOUR).toBeGreaterThan(75);
    const { components } = (await service.http.get('/health')).body;
    expect(components.webhooks).toMatchObject({ waiting: 0, given_up: 1 });
    await forgetEvents(service.context);
    expect(await service.rows('SELECT 1 FROM webhook_event')).toHaveLength(1);
    clock.forward(96 * HOUR);
    await forgetEvents(service.context);
    expect(await service.rows('SELECT 1 FROM webhook_event')).toEqual([]);
  });

  it('stop immediately when the receiver responds with 410', async () => {
    answer = 410;
    isAway = true;
    await collect();
    expect(await deliver()).toBe(0);
    const { components } = (await service.http.get('/health')).body;
    expect(components.webhooks).toMatchObject({ waiting: 0, given_up: 1 });
  });

  it('can only be sent by one process at a time', async () => {
    isAway = true;
    await collect();
    const counts = await Promise.all([deliver(), deliver(), deliver()]);
    expect(counts.sort()).toEqual([0, 0, 1]);
  });

  it('stop after the current request when the service stops', async () => {
    for (let count = 0; count < 3; count++) {
      await service.asOwner(
        `INSERT INTO webhook_event (event_id, type, payload, created_at, next_attempt_at)
         VALUES ('evt_${randomUUID()}', 'component.failed', '{}', '2026-03-02', '2026-03-02')`,
      );
    }
    let stopped: Promise<void> | undefined;
    const arrived = new Promise<void>((resolve) => {
      beforeAnswer = async () => {
        stopped ??= background.stop();
        resolve();
      };
    });
    const background = startBackground(service.context);
    await arrived;
    await stopped;
    expect(received).toHaveLength(1);
    expect(
      await service.rows('SELECT 1 FROM webhook_event WHERE delivered_at IS NULL'),
    ).toHaveLength(2);
  });

  it('do not delay collections', async () => {
    answer = null;
    isAway = true;
    await collect();
    expect(received).toEqual([]);
  });
});

describe('the service without a webhook receiver', () => {
  it('stores no events, and omits webhooks from GET /health', async () => {
    const database = await openSharedDatabase();
    const away = new ExchangeFailure('unavailable', 'balance', 'away');
    const clock = clockAt('2026-03-02T00:00:30.000Z');
    const exchange = (db: Parameters<typeof createBooks>[0]) => ({
      ...createSimulatedExchange({ seed: 7, clock, books: createBooks(db) }),
      balance: () => Promise.reject(away),
    });
    const service = await database.start({ context: { clock, exchange } });
    await service.http.post('/metrics/collect').send({}).expect(200);
    expect(await service.rows('SELECT 1 FROM webhook_event')).toEqual([]);
    expect((await service.http.get('/health')).body.components).not.toHaveProperty('webhooks');
    await service.close();
    await database.drop();
  });
});

describe('the reader of webhook settings', () => {
  const SECRET = KEY.toString('base64');
  it.each([
    [{ METRICS_WEBHOOK_URL: 'http://127.0.0.1/' }, 'must be set together'],
    [{ METRICS_WEBHOOK_SECRET: SECRET }, 'must be set together'],
    [{ METRICS_WEBHOOK_URL: 'ftp://a/', METRICS_WEBHOOK_SECRET: SECRET }, 'METRICS_WEBHOOK_URL'],
    [{ METRICS_WEBHOOK_URL: 'http://u:p@a/', METRICS_WEBHOOK_SECRET: SECRET }, 'credentials'],
    [{ METRICS_WEBHOOK_URL: 'http://a/', METRICS_WEBHOOK_SECRET: 'short' }, '24 to 64'],
  ])('rejects %j', (given, message) => {
    const env = { DATABASE_URL: 'postgresql://u:p@127.0.0.1/none', ...given };
    expect(() => readConfig(env)).toThrow(message);
  });
});
