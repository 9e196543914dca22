import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import { startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { openSharedDatabase, type SharedDatabase } from '../../../test/shared-database';

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

const HOUR_MS = 3_600_000;
const answer = (body: unknown) => ({ status: 200, body });

const gemini: Dialect = ({ markets, now }, { path }) => {
  const idOf = (symbol: string) => symbol.replace('/', '').toLowerCase();
  const [, , what, id, of] = path.split('/');
  const market = markets.find(({ symbol }) => idOf(symbol) === id);
  if (what === 'symbols') return answer(markets.map(({ symbol }) => idOf(symbol)));
  if (what === 'pricefeed') {
    const price = ({ symbol, ticker }: (typeof markets)[number]) => {
      const pair = idOf(symbol).toUpperCase();
      return { pair, price: ticker(now()).last, percentChange24h: '0.0146' };
    };
    return answer(markets.map(price));
  }
  if (!market) return null;
  if (what === 'pubticker') {
    const { bid, ask, last, baseVolume, quoteVolume } = market.ticker(now());
    const volume = { [market.base]: baseVolume, USDT: quoteVolume, timestamp: now() };
    return answer({ bid, ask, last, volume });
  }
  if (what === 'candles' && of === '1hr') {
    const rows = market.candles('1h', 500, now()).map((candle) => {
      const { openTime, open, high, low, close, volume } = candle;
      return [openTime, ...[open, high, low, close, volume].map(Number)];
    });
    return answer(rows.filter(([time]) => Number(time) > now() - 400 * HOUR_MS).reverse());
  }
  return null;
};

it('Gemini markets can be collected even though Gemini’s list of all prices lacks bids and asks', async () => {
  const sim = await startExchangeSim({ dialect: gemini, seed: 7 });
  const service = await database.start({
    env: {
      EXCHANGE_MODE: 'live',
      EXCHANGE_ID: 'gemini',
      EXCHANGE_BASE_URL: sim.url,
      METRICS_SYMBOLS: 'BTC/USDT,ETH/USDT',
      METRICS_COLLECTION_TIMEOUT_MS: '190000',
    },
  });
  const { body } = await service.http.post('/metrics/collect').send({});
  const market = (await service.http.get('/metrics/history?kind=market&symbol=BTC/USDT')).body;
  await service.close();
  await sim.close();
  expect(body.components.market_data).toMatchObject({ status: 'ok', data_points: 2, failures: [] });
  expect(market.items).toHaveLength(1);
  expect(Number(market.items[0].ask)).toBeGreaterThan(Number(market.items[0].bid));
  expect(body.components.regime_analysis).toMatchObject({ status: 'ok', data_points: 2 });
});
