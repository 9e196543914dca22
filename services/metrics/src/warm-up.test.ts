import { binance } from '../exchange-sim/binance';
import { startExchangeSim } from '../exchange-sim/server';
import { startHarness } from '../test/harness';
import { warmUp } from './warm-up';

it('has the markets of the exchange before the first collection, which asks for none', async () => {
  const sim = await startExchangeSim({ dialect: binance, seed: 7 });
  const service = await startHarness({
    env: {
      EXCHANGE_MODE: 'live',
      EXCHANGE_ID: 'binance',
      EXCHANGE_BASE_URL: sim.url,
      EXCHANGE_RATE_LIMIT: 'false',
      METRICS_SYMBOLS: 'BTC/USDT',
    },
  });
  await warmUp(service.context);
  const lists = () => sim.asked.filter((path) => path.endsWith('exchangeInfo')).length;
  expect(lists()).toBe(1);
  await service.http.post('/metrics/collect').send({}).expect(200);
  expect(lists()).toBe(1);
  sim.fail('503');
  await expect(warmUp(service.context)).resolves.toBeUndefined();
  await service.close();
  await sim.close();
});
