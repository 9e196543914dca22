import { binance } from '@switchyard/testing/exchange-sim/binance';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import { type ExchangeSim, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { type Harness, startHarness } from '../../../test/harness';
import { liveSettings } from '../../../test/live-settings';
import { ACCOUNT_TIMEOUTS } from '../../../test/two-accounts';

const PERPETUAL = 'BTC/USDT:USDT';
const TIMES = ['closeTime', 'time', 'nextFundingTime', 'updateTime'];
const STRANGE = ['/api/v3/ticker/24hr', '/fapi/v1/premiumIndex', '/fapi/v3/positionRisk'];

const inMicroseconds = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      TIMES.includes(name) ? value * 1_000 : value,
    ]),
  );

const dated: Dialect = (world, request) => {
  const answer = binance(world, request);
  const { path } = request;
  if (!answer || !(STRANGE.includes(path) || path === '/fapi/v1/income')) return answer;
  const { body } = answer;
  return {
    ...answer,
    body: Array.isArray(body) ? body.map(inMicroseconds) : inMicroseconds(body as object),
  };
};

describe('times in microseconds', () => {
  let sim: ExchangeSim;
  let service: Harness;
  beforeAll(async () => {
    sim = await startExchangeSim({ dialect: dated, seed: 7 });
    sim.account.positions = [{ symbol: 'BTC/USDT', amount: 0.5, entryPrice: 60_000, leverage: 5 }];
    service = await startHarness({
      env: {
        ...ACCOUNT_TIMEOUTS,
        ...liveSettings(sim),
        METRICS_SYMBOLS: `BTC/USDT,${PERPETUAL}`,
      },
    });
  });
  afterAll(async () => {
    await service.close();
    await sim.close();
  });

  const collect = async () =>
    (await service.http.post('/metrics/collect').send({}).expect(200)).body;
  const ofKind = async (kind: string) =>
    (await service.http.get(`/metrics/history?kind=${kind}`)).body.items;

  it('become null in prices and funding rates', async () => {
    const { components } = await collect();
    expect(components.market_data).toMatchObject({ status: 'ok', data_points: 1 });
    expect(components.funding_rates).toMatchObject({ status: 'ok', data_points: 1 });
    expect(await ofKind('market')).toMatchObject([{ symbol: 'BTC/USDT', source_time: null }]);
    const rate = { symbol: PERPETUAL, source_time: null, funding_at: null };
    expect(await ofKind('funding')).toMatchObject([rate]);
  });

  it('make the collection of funding payments fail, because a payment must have a time', async () => {
    const time = Date.now() - 3_600_000;
    sim.account.fundingPayments = [{ id: '71', symbol: 'BTC/USDT', received: '-1.25', time }];
    const { components } = await collect();
    expect(components.perpetual_positions).toMatchObject({
      status: 'partial',
      failures: [{ code: 'malformed', target: PERPETUAL }],
    });
    expect(components).toMatchObject({
      market_data: { status: 'ok' },
      funding_rates: { status: 'ok' },
    });
  });
});
