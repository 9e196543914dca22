import { binance } from '@switchyard/testing/exchange-sim/binance';
import { startExchangeSim } from '@switchyard/testing/exchange-sim/server';

it('startExchangeSim throws an error if the port is occupied', async () => {
  const first = await startExchangeSim({ dialect: binance, seed: 7 });
  const port = Number(new URL(first.url).port);
  try {
    await expect(startExchangeSim({ dialect: binance, seed: 7, port })).rejects.toThrow(
      `address already in use 127.0.0.1:${port}`,
    );
  } finally {
    await first.close();
  }
});
