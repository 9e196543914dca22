import { recordingLogger } from '../../test/harness';
import { openSharedDatabase, type SharedDatabase } from '../../test/shared-database';
import { logPlans } from './request-plan';

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

/** Kraken takes one public request a second; nothing is asked of it here. */
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

it('a configuration that fits says how much of the interval it needs', async () => {
  const { exchange, lines } = await start(10);
  expect(exchange.plan).toEqual({ needs_seconds: 10, may_take_seconds: 15, interval_seconds: 300 });
  expect(exchange).not.toHaveProperty('note');
  expect(lines).toMatch(/the limits of kraken have this configuration need 10 s of 300"/);
});

it('a configuration that does not fit names the setting that helps', async () => {
  const { exchange, lines } = await start(43);
  expect(exchange.plan).toMatchObject({ needs_seconds: 43, may_take_seconds: 15 });
  expect(exchange.note).toMatch(/METRICS_COLLECTION_TIMEOUT_MS to 77000/);
  expect(lines).toMatch(/need 43 s of 300, and a part of a collection may take 15 s/);
});

it('a simulated exchange has no plan', async () => {
  const service = await database.start();
  const { exchange } = (await service.http.get('/health')).body.components;
  await service.close();
  expect(exchange).not.toHaveProperty('plan');
});
