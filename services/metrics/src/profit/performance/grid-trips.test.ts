import { clockAt, type Harness, startHarness } from '../../../test/harness';

const NOON = Date.parse('2026-03-02T12:00:00.000Z');

describe('grid trips in GET /performance', () => {
  const clock = clockAt(new Date(NOON).toISOString());
  let service: Harness;
  let gridId: string;
  let levels: string[];
  let count: number;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
    const { body } = await service.http
      .post('/grids/create')
      .send({
        ...{ name: 'g', symbol: 'ETH/USDT', order_amount: 1, grid_count: 4 },
        ...{ lower_price: 2_000, upper_price: 6_000 },
      })
      .expect(201);
    gridId = body.grid_id;
    levels = body.levels.map(({ price }: { price: string }) => price);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    count = 0;
    await service.rows('DELETE FROM trade');
  });

  const fill = (
    side: 'buy' | 'sell',
    level: number,
    price: number,
    more: { amount?: number; fee?: number; asset?: string; order?: string; days?: number } = {},
  ) => {
    const { amount, fee, asset, order, days } = {
      ...{ amount: 1, fee: 0, asset: 'USDT', order: null, days: 0 },
      ...more,
    };
    return service.rows(
      `INSERT INTO trade (exchange, symbol, trade_id, grid_id, order_id, side, price, order_price, amount, fee, fee_asset, traded_at)
       VALUES ('simulated', 'ETH/USDT', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...[String(++count), gridId, order, side, price, levels[level], amount, fee, asset],
        new Date(NOON - days * 86_400_000 + count),
      ],
    );
  };
  const performance = async () => (await service.http.get('/performance?days=2').expect(200)).body;

  it('exclude sales without a buy one level below', async () => {
    await fill('buy', 0, 2_000);
    await fill('sell', 3, 5_000);
    expect(await performance()).toMatchObject({
      ...{ grid_trips: 0, trip_win_rate: null, trip_profit_factor: null },
    });
  });

  it('count orders instead of fills, deduct fees, and exclude earlier days', async () => {
    await fill('buy', 0, 2_000, { days: 5 });
    await fill('sell', 1, 9_000, { days: 4 });
    await fill('buy', 0, 2_000, { days: 3, fee: 10 });
    await fill('buy', 1, 3_000);
    await fill('sell', 1, 3_000, { amount: 0.5, order: 'one' });
    await fill('sell', 1, 3_100, { amount: 0.5, order: 'one', fee: 15 });
    await fill('sell', 2, 2_950);
    expect(await performance()).toMatchObject({
      ...{ grid_trips: 2, trip_win_rate: 0.5 },
      trip_profit_factor: expect.closeTo((3_050 - 15 - 2_000 - 10) / 50, 9),
    });
  });

  it('treat a fee in the base asset as a smaller purchase', async () => {
    await fill('buy', 0, 2_000, { amount: 1, fee: 0.5, asset: 'ETH' });
    await fill('sell', 1, 3_000, { amount: 0.5 });
    expect(await performance()).toMatchObject({
      ...{ grid_trips: 1, trip_win_rate: 0, trip_profit_factor: 0 },
    });
  });

  it('have no win rate if a fee has no price', async () => {
    await fill('buy', 0, 2_000, { fee: 1, asset: 'NEW' });
    await fill('sell', 1, 3_000);
    expect(await performance()).toMatchObject({
      ...{ grid_trips: 1, trip_win_rate: null, trip_profit_factor: null },
    });
  });

  it('do not change after a rebase of the books', async () => {
    await fill('buy', 0, 2_000);
    await fill('sell', 1, 3_000);
    await service.rows('UPDATE grid SET rebased_at = $1', [new Date(NOON + 3_600_000)]);
    expect(await performance()).toMatchObject({
      ...{ grid_trips: 1, trip_win_rate: 1, trips_since: '2026-02-28T12:00:00.000Z' },
    });
    await service.rows('UPDATE grid SET rebased_at = NULL');
  });

  it('exclude a buy whose fee in the base asset equals its amount', async () => {
    await fill('buy', 0, 2_000, { fee: 1, asset: 'ETH' });
    await fill('sell', 1, 3_000);
    await fill('buy', 1, 3_000);
    await fill('sell', 2, 3_500);
    expect(await performance()).toMatchObject({ grid_trips: 1, trip_win_rate: 1 });
  });

  it('include only the newest 10,000 fills, and report the time of the oldest of these fills', async () => {
    await fill('buy', 0, 2_000, { days: 1 });
    await fill('sell', 1, 3_000, { days: 1 });
    expect(await performance()).toMatchObject({
      ...{ grid_trips: 1, trips_since: '2026-02-28T12:00:00.000Z' },
    });
    await service.rows(
      `INSERT INTO trade (exchange, symbol, trade_id, grid_id, side, price, amount, fee, traded_at)
       SELECT 'simulated', 'ETH/USDT', 'f' || n, $1, 'buy', 2000, 1, 0, $2::timestamptz - n * interval '1 second'
       FROM generate_series(0, 9999) AS n`,
      [gridId, new Date(NOON)],
    );
    expect(await performance()).toMatchObject({
      ...{ grid_trips: 0, trips_since: new Date(NOON - 9_999_000).toISOString() },
    });
  });

  it('include the older buys of a quiet grid even if another grid is busy', async () => {
    const { body } = await service.http
      .post('/grids/create')
      .send({
        ...{ name: 'busy', symbol: 'ETH/USDT', order_amount: 1, grid_count: 4 },
        ...{ lower_price: 2_000, upper_price: 6_000 },
      })
      .expect(201);
    await fill('buy', 0, 2_000, { days: 1 });
    await fill('sell', 1, 3_000);
    await service.rows(
      `INSERT INTO trade (exchange, symbol, trade_id, grid_id, side, price, amount, fee, traded_at)
       SELECT 'simulated', 'ETH/USDT', 'b' || n, $1, 'buy', 2000, 1, 0, $2::timestamptz - n * interval '1 second'
       FROM generate_series(0, 9999) AS n`,
      [body.grid_id, new Date(NOON)],
    );
    expect(await performance()).toMatchObject({ grid_trips: 1, trip_win_rate: 1 });
  });
});
