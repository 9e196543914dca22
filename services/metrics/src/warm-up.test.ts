import { binance } from '@switchyard/testing/exchange-sim/binance';
import { startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { recordingLogger, startHarness } from '../test/harness';
import { liveSettings } from '../test/live-settings';
import { loadLibrary } from './exchange/live/library';
import { warmUp } from './warm-up';

beforeAll(() => void loadLibrary('binance', (text) => text));

it('the warm-up reads markets and candles, so that the first collection does not request them', async () => {
  const now = () => new Date('2026-01-05T09:30:00Z');
  const sim = await startExchangeSim({ dialect: binance, seed: 7, now: () => now().getTime() });
  const service = await startHarness({
    context: { clock: { now } },
    env: {
      EXCHANGE_MODE: 'live',
      EXCHANGE_ID: 'binance',
      EXCHANGE_BASE_URL: sim.url,
      METRICS_SYMBOLS: 'BTC/USDT',
    },
  });
  await warmUp(service.context);
  const lists = () => sim.asked.filter((path) => path.endsWith('exchangeInfo')).length;
  const candles = () => sim.asked.filter((path) => path.endsWith('klines')).length;
  const stored = async () => (await service.rows('SELECT 1 FROM ohlcv_candle')).length;
  expect([lists(), candles(), await stored()]).toEqual([1, 1, 0]);
  const collect = async () => {
    const { body } = await service.http.post('/metrics/collect').send({}).expect(200);
    expect(body.components.regime_analysis).toMatchObject({ status: 'ok', data_points: 1 });
  };
  await collect();
  expect([lists(), candles(), await stored()]).toEqual([1, 1, 300]);
  await collect();
  expect([lists(), candles(), await stored()]).toEqual([1, 1, 300]);
  sim.fail('503');
  await expect(warmUp(service.context)).resolves.toBeUndefined();
  await service.close();
  await sim.close();
});

it('the warm-up logs no failure for reads that it skips', async () => {
  const sim = await startExchangeSim({ dialect: binance, seed: 7 });
  const { logger, lines } = recordingLogger();
  const service = await startHarness({
    context: { logger },
    env: {
      ...liveSettings(sim),
      METRICS_SYMBOLS: 'BTC/USDT,BTC/USDT:USDT',
    },
  });
  await warmUp(service.context);
  await service.close();
  await sim.close();
  expect(sim.asked.some((path) => path.endsWith('/account'))).toBe(true);
  expect(lines.filter((line) => line.includes('could not be read'))).toEqual([]);
});
