import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { clockAt } from '../../../test/harness';
import { liveSettings } from '../../../test/live-settings';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../../test/shared-database';
import { malformed } from '../../exchange/failure';
import type { Connection } from '../../exchange/live/connect';
import { createLivePerpetuals } from '../../exchange/live/live-perpetuals';
import type { Perpetuals, Position } from '../../exchange/perpetuals';

const BTC = 'BTC/USDT:USDT';
const POSITIONS_OF: Record<string, string> = {
  binance: 'positionRisk',
  bybit: 'position/list',
  okx: 'account/positions',
};

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

async function start(id: string) {
  const clock = clockAt(new Date().toISOString());
  const now = () => clock.now().getTime();
  const sim = await startExchangeSim({ dialect: DIALECTS[id] as Dialect, seed: 7, now });
  sim.account.balances = { USDT: { free: '1000', locked: '0' } };
  const env = {
    ...liveSettings(sim, id),
    EXCHANGE_API_PASSWORD: sim.account.password,
    METRICS_SYMBOLS: `BTC/USDT,${BTC}`,
    METRICS_COLLECTION_TIMEOUT_MS: '190000',
  };
  const service = await database.start({ env, context: { clock } });
  return { clock, service, sim };
}

describe.each(['binance', 'bybit', 'okx'])('positions on %s', (id) => {
  let sim: ExchangeSim;
  let service: SharedHarness;
  let clock: Awaited<ReturnType<typeof start>>['clock'];
  beforeAll(async () => {
    ({ clock, service, sim } = await start(id));
  });
  afterAll(async () => {
    await service.close();
    await sim.close();
  });

  const collect = async () => {
    clock.forward(60_000);
    return (await service.http.post('/metrics/collect').send({}).expect(200)).body.components;
  };
  const last = async (kind: string) =>
    (await service.http.get(`/metrics/history?kind=${kind}&limit=1`).expect(200)).body.items[0];
  const total = async () =>
    (await service.http.get('/metrics/history?kind=balance&asset=&limit=1').expect(200)).body
      .items[0];
  const paid = (paymentId: string, received: string) => ({
    ...{ id: paymentId, symbol: 'BTC/USDT', received },
    time: clock.now().getTime() - 1_000,
  });

  it('count towards equity and exposure at the mark price', async () => {
    sim.account.positions = [
      { symbol: 'BTC/USDT', amount: -0.02, entryPrice: 64_000, leverage: 4 },
    ];
    const { perpetual_positions, account_balance } = await collect();
    expect(perpetual_positions).toMatchObject({ status: 'ok', data_points: 1 });
    expect(account_balance.status).toBe('ok');
    const position = await last('position');
    expect(position).toMatchObject({ symbol: BTC, side: 'short', amount: '0.02', stale: false });
    const profit = Number(position.unrealised_pnl);
    expect(profit).toBeCloseTo(-0.02 * (Number(position.mark_price) - 64_000), 4);
    const { total_equity, unrealised_pnl } = await total();
    expect(Number(unrealised_pnl)).toBeCloseTo(profit, 6);
    const cash = id === 'binance' ? 6000 : 1000;
    expect(Number(total_equity)).toBeCloseTo(cash + profit, 6);
    const risk = (await service.http.get('/risk').expect(200)).body;
    const value = 0.02 * Number(position.mark_price);
    expect(risk.exposure).toBeCloseTo(value / Number(total_equity), 8);
    expect(risk.positions).toMatchObject([{ symbol: BTC, side: 'short' }]);
    const collateral = id === 'binance' ? 5000 + profit : Number(total_equity);
    const ratio = Number(position.maintenance_margin) / collateral;
    const isKnown = position.maintenance_margin !== null;
    expect(risk.margin_ratio).toEqual(isKnown ? expect.closeTo(ratio, 9) : null);
    const page = (await service.http.get('/metrics')).text;
    const [, shown] = /^marketmetrics_margin_ratio (\S+)$/m.exec(page) ?? [];
    expect(shown && Number(shown)).toEqual(isKnown ? expect.closeTo(ratio, 9) : undefined);
    expect(page).toMatch(
      /marketmetrics_position_value_quote\{symbol="BTC\/USDT:USDT",side="short"\}/,
    );
  });

  it('add coins that are held as margin to the exposure', async () => {
    const perpetuals = service.context.exchange.perpetuals as Perpetuals;
    const { account } = perpetuals;
    perpetuals.account = async (...asked) => {
      const read = await account(...asked);
      return { ...read, balances: { ...read.balances, BTC: '0.1' } };
    };
    await collect();
    perpetuals.account = account;
    const { total_equity } = await total();
    const { mid } = await last('market');
    const { mark_price } = await last('position');
    const risk = (await service.http.get('/risk').expect(200)).body;
    expect(risk.assets).toMatchObject([{ asset: 'BTC' }]);
    expect(Number(risk.assets[0].value)).toBeCloseTo(Number(mid) / 10, 8);
    const exposed = Number(mid) / 10 + 0.02 * Number(mark_price);
    expect(risk.exposure).toBeCloseTo(exposed / Number(total_equity), 8);
    const { exposure } = (await service.http.get('/portfolio').expect(200)).body;
    expect(exposure).toMatchObject([{ asset: 'BTC' }]);
    expect(Number(exposure[0].value)).toBeCloseTo(Number(mid) / 10 - 0.02 * Number(mark_price), 6);
  });

  it('count each funding payment once', async () => {
    sim.account.fundingPayments = [paid('1', '-1.5'), paid('2', '0.25')];
    await collect();
    sim.account.fundingPayments.push(paid('3', '-0.75'));
    await collect();
    expect((await last('position')).funding_received).toBe('-2');
    expect(await service.rows('SELECT count(*)::int AS n FROM funding_payment')).toEqual([
      { n: 3 },
    ]);
  });

  it('cause one request for funding payments, and more requests after ten days without a collection', async () => {
    const DAY_MS = 86_400_000;
    const asks = async () => {
      sim.requests.length = 0;
      await collect();
      return sim.requests.filter((one) => /income|execType=Funding|\/bills/.test(one)).length;
    };
    for (let day = 0; day < 9; day++) {
      clock.forward(DAY_MS);
      await collect();
    }
    expect(await asks()).toBe(1);
    const time = clock.now().getTime() + DAY_MS;
    clock.forward(10 * DAY_MS);
    sim.account.fundingPayments.push({ ...paid('4', '-0.5'), time });
    expect(await asks()).toBeGreaterThan(1);
    expect(await service.rows('SELECT count(*)::int AS n FROM funding_payment')).toEqual([
      { n: 4 },
    ]);
  });

  it('leave no gap in the funding payments after ten days in which only positions failed', async () => {
    sim.fail('503', POSITIONS_OF[id]);
    sim.account.fundingPayments.push({ ...paid('5', '-0.25'), time: clock.now().getTime() });
    for (let day = 0; day < 10; day++) {
      clock.forward(86_400_000);
      await collect();
    }
    sim.fail(null);
    clock.forward(120_000);
    await collect();
    expect(await service.rows('SELECT count(*)::int AS n FROM funding_payment')).toEqual([
      { n: 5 },
    ]);
  });

  it('count a funding payment that the exchange publishes nine hours late', async () => {
    await collect();
    const time = clock.now().getTime() - 9 * 3_600_000;
    sim.account.fundingPayments.push({ ...paid('6', '-0.25'), time });
    await collect();
    await collect();
    expect(await service.rows('SELECT count(*)::int AS n FROM funding_payment')).toEqual([
      { n: 6 },
    ]);
  });

  it('read at most a week of funding payments again while one payment is unreadable', async () => {
    const perpetuals = service.context.exchange.perpetuals as Perpetuals;
    const { fundingPayments } = perpetuals;
    const asked: number[] = [];
    perpetuals.fundingPayments = async (symbol, since, signal) => {
      asked.push(since);
      const read = await fundingPayments(symbol, since, signal);
      return { ...read, failures: [malformed(symbol, 'a payment is unreadable')] };
    };
    for (let turn = 0; turn < 2; turn++) {
      clock.forward(10 * 86_400_000);
      await collect();
    }
    const { perpetual_positions } = await collect();
    perpetuals.fundingPayments = fundingPayments;
    expect(perpetual_positions.failures).toMatchObject([{ code: 'malformed', target: BTC }]);
    expect(asked).toHaveLength(3);
    const reread = clock.now().getTime() - (asked.at(-1) as number);
    expect(reread).toBeLessThan(7 * 86_400_000 + 120_000);
  });

  it('make equity unknown when one position is unreadable', async () => {
    const perpetuals = service.context.exchange.perpetuals as Perpetuals;
    const { account } = perpetuals;
    perpetuals.account = async (...asked) => {
      const read = await account(...asked);
      const [first] = read.positions as [Position];
      const odd = { ...first, symbol: 'ETH/USDT:USDT', entryPrice: undefined };
      return { ...read, positions: [odd, first] };
    };
    const { perpetual_positions, account_balance } = await collect();
    perpetuals.account = account;
    expect(perpetual_positions).toMatchObject({
      status: 'partial',
      data_points: 1,
      failures: [{ code: 'malformed', target: 'ETH/USDT:USDT' }],
    });
    expect(account_balance.failures).toMatchObject([
      { code: 'unpriced', target: 'perpetual_positions' },
    ]);
    expect((await total()).total_equity).toBeNull();
  });

  it('make equity unknown while they cannot be read, and disappear when closed', async () => {
    sim.fail('503', POSITIONS_OF[id]);
    const sick = await collect();
    expect(sick.perpetual_positions.status).toBe('failed');
    expect(sick.account_balance).toMatchObject({
      status: 'partial',
      failures: [{ code: 'unpriced', target: 'perpetual_positions' }],
    });
    expect(await total()).toMatchObject({ total_equity: null, equity_complete: false });
    const shown = async () => (await service.http.get('/dashboard/state')).body.positions;
    expect(await shown()).toHaveLength(1);
    sim.fail(null);
    sim.account.positions = [];
    clock.forward(120_000);
    expect((await collect()).perpetual_positions).toMatchObject({ status: 'ok', data_points: 0 });
    expect(await shown()).toEqual([]);
    expect(await total()).toMatchObject({ equity_complete: true, unrealised_pnl: '0' });
  });
});

it.each([
  ['unrealisedPnl', 'unrealizedPnl'],
  ['amount', 'contractSize'],
])('a position has no %s if the library returns no %s', async (field, absent) => {
  const raw = { symbol: BTC, contracts: '2', contractSize: '0.01', unrealizedPnl: '5', info: {} };
  const library = { id: 'okx', fetchPositions: async () => [{ ...raw, [absent]: undefined }] };
  const perpetuals = createLivePerpetuals({
    ready: async () => library,
    call: (_method: string, _target: string, _signal: AbortSignal, ask: () => unknown) => ask(),
  } as unknown as Connection);
  const { positions } = await perpetuals.account(['USDT'], AbortSignal.timeout(60_000));
  expect(positions).toMatchObject([{ symbol: BTC, [field]: undefined }]);
});

it('an exchange without perpetuals has no positions and no funding rates', async () => {
  const { service, sim } = await start('kraken');
  const { components } = (await service.http.post('/metrics/collect').send({}).expect(200)).body;
  await service.close();
  await sim.close();
  for (const name of ['perpetual_positions', 'funding_rates']) {
    expect(components[name]).toMatchObject({
      status: 'skipped',
      failures: [{ code: 'not_supported' }],
    });
  }
  expect(components.account_balance.status).toBe('ok');
});
