import { clockAt } from '../../../test/harness';
import { openSharedDatabase, type SharedDatabase } from '../../../test/shared-database';
import { ExchangeFailure } from '../../exchange/failure';
import { createBooks } from '../../exchange/simulated/books';
import { createSimulatedExchange } from '../../exchange/simulated/simulated-exchange';

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

async function start() {
  const clock = clockAt('2026-03-02T10:00:00.000Z');
  const shown = { factor: 1 };
  const service = await database.start({
    context: {
      clock,
      exchange: (db) => {
        const exchange = createSimulatedExchange({ seed: 7, clock, books: createBooks(db) });
        const scaled = (value: unknown) => String(Number(value) * shown.factor);
        return {
          ...exchange,
          tickers: async (symbols, signal) => {
            const all = await exchange.tickers(symbols, signal);
            const rows = [...all].map(([symbol, one]) => {
              if (one instanceof ExchangeFailure) return [symbol, one] as const;
              const { last, bid, ask, open, high, low } = one;
              const prices = { last, bid, ask, open, high, low };
              const moved = Object.entries(prices).map(([name, value]) => [name, scaled(value)]);
              return [symbol, { ...one, ...Object.fromEntries(moved) }] as const;
            });
            return new Map(rows);
          },
        };
      },
    },
  });
  return {
    service,
    collect: async (factor: number) => {
      shown.factor = factor;
      clock.forward(300_000);
      const { body } = await service.http.post('/metrics/collect').send({});
      const { status, failures } = body.components.market_data;
      const equity = (await service.http.get('/risk')).body.equity;
      return { status, codes: failures.map(({ code }: { code: string }) => code), equity };
    },
  };
}

describe('an implausible price', () => {
  it.each([10, 0.1, 3])(
    'causes a failure and unknown equity after a move by a factor of %d',
    async (factor) => {
      const { service, collect } = await start();
      expect((await collect(1)).status).toBe('ok');
      const odd = await collect(factor);
      expect(odd.codes).toEqual(['suspect', 'suspect', 'suspect']);
      expect(odd).toMatchObject({ status: 'failed', equity: null });
      const back = await collect(1);
      await service.close();
      expect(back.status).toBe('ok');
      expect(Number(back.equity)).toBeGreaterThan(0);
    },
  );

  it('becomes valid when the next collection reads the same price', async () => {
    const { service, collect } = await start();
    await collect(1);
    await collect(10);
    const again = await collect(10);
    const third = await collect(10);
    await service.close();
    expect([again.status, third.status]).toEqual(['ok', 'ok']);
  });

  it('stays invalid if each collection reads a different price', async () => {
    const { service, collect } = await start();
    await collect(1);
    await collect(10);
    const other = await collect(100);
    await service.close();
    expect(other.status).toBe('failed');
  });
});

it('a price that moved by 50 percent is accepted immediately', async () => {
  const { service, collect } = await start();
  await collect(1);
  const moved = await collect(1.5);
  await service.close();
  expect(moved.status).toBe('ok');
});
