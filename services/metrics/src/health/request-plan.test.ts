import { recordingLogger } from '../../test/harness';
import { openSharedDatabase, type SharedDatabase } from '../../test/shared-database';
import { logPlans } from './request-plan';

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

async function start(symbols: number) {
  const { logger, lines } = recordingLogger();
  const names = Array.from({ length: symbols }, (_, index) => `C${index}/USDT`);
  const env = { EXCHANGE_MODE: 'live', EXCHANGE_ID: 'kraken', METRICS_SYMBOLS: names.join() };
  const service = await database.start({ env, context: { logger } });
  const { exchange } = (await service.http.get('/health')).body.components;
  await logPlans(service.context, service.context.accounts);
  await service.close();
  return { exchange, lines: lines.join() };
}

it('GET /health reports the share of the interval that collections need', async () => {
  const { exchange, lines } = await start(10);
  expect(exchange.plan).toEqual({ needs_seconds: 10, may_take_seconds: 15, interval_seconds: 300 });
  expect(exchange).not.toHaveProperty('note');
  expect(lines).toMatch(/collecting from kraken takes 10 s per interval of 300 s"/);
});

it('GET /health names the setting to change if collections need more time than allowed', async () => {
  const { exchange, lines } = await start(43);
  expect(exchange.plan).toMatchObject({ needs_seconds: 43, may_take_seconds: 15 });
  expect(exchange.note).toMatch(/METRICS_COLLECTION_TIMEOUT_MS to 77000/);
  expect(lines).toMatch(/takes 43 s per interval of 300 s, but a component may only take 15 s/);
});

it('GET /health returns no plan for a simulated exchange', async () => {
  const service = await database.start();
  const { exchange } = (await service.http.get('/health')).body.components;
  await service.close();
  expect(exchange).not.toHaveProperty('plan');
});
