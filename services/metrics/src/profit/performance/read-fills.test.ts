import { clockAt, type Harness, startHarness } from '../../../test/harness';

const NOON = Date.parse('2026-03-02T12:00:00.000Z');
const at = (minutes: number) => new Date(NOON + minutes * 60_000).toISOString();

describe('fills in GET /performance', () => {
  const clock = clockAt(at(600));
  let service: Harness;
  let collectionRef: string;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
    await service.http.post('/metrics/collect').send({}).expect(200);
    const [row] = await service.rows<{ id: string }>('SELECT id FROM collection');
    collectionRef = String(row?.id);
  });
  beforeEach(async () => {
    for (const table of ['account_fill', 'market_snapshot', 'ohlcv_candle']) {
      await service.rows(`DELETE FROM ${table}`);
    }
  });
  afterAll(() => service.close());

  const fill = (id: string, minutes: number, more: Record<string, unknown> = {}) => {
    const { symbol, side, price, amount, is_maker } = {
      ...{ symbol: 'BTC/USDT', side: 'buy', price: '100', amount: '1', is_maker: true as unknown },
      ...more,
    };
    return service.rows(
      `INSERT INTO account_fill (exchange, symbol, trade_id, side, price, amount, fee, is_maker, traded_at)
       VALUES ('simulated', $7, $1, $2, $3, $4, 0, $5, $6)`,
      [id, side, price, amount, is_maker, at(minutes), symbol],
    );
  };
  const market = (minutes: number, mid: string, stale = false, symbol = 'BTC/USDT') =>
    service.rows(
      `INSERT INTO market_snapshot (collection_ref, captured_at, exchange, simulated, stale, symbol, last, bid, ask, mid, spread_abs, spread_bps)
       VALUES ($1, $2, 'simulated', true, $4, $5, $3, $3, $3, $3, 0, 0)`,
      [collectionRef, at(minutes), mid, stale, symbol],
    );
  const candle = (timeframe: string, openMinutes: number, close: string) =>
    service.rows(
      `INSERT INTO ohlcv_candle (exchange, symbol, timeframe, open_time, open, high, low, close, volume)
       VALUES ('simulated', 'BTC/USDT', $1, $2, $3, $3, $3, $3, 0)`,
      [timeframe, at(openMinutes), close],
    );
  const performance = async () => (await service.http.get('/performance?days=2').expect(200)).body;

  it('must exist, or maker share and markouts are null', async () => {
    expect(await performance()).toMatchObject({
      ...{ fills: 0, maker_share: null },
      markouts: [
        { minutes: 1, fills: 0, bps: null },
        { minutes: 5, fills: 0, bps: null },
        { minutes: 60, fills: 0, bps: null },
      ],
    });
  });

  it('have a maker share that is weighted by value and excludes fills with an unknown role', async () => {
    await fill('1', 0, { amount: '3' });
    await fill('2', 0, { is_maker: false });
    await fill('3', 0, { is_maker: null });
    await fill('4', -5_000, { amount: '9' });
    expect(await performance()).toMatchObject({ fills: 3, maker_share: 0.75 });
  });

  it('have no effect on maker share and markouts if they are in another quote asset', async () => {
    await fill('1', 0, { amount: '3' });
    await fill('2', 0, { is_maker: false });
    await fill('3', 0, { symbol: 'ETH/BTC', is_maker: false, amount: '1000' });
    await fill('4', 0, { symbol: 'ETH/BTC', amount: '9000' });
    await market(1, '101');
    await market(1, '300', false, 'ETH/BTC');
    const { fills, maker_share, markouts } = await performance();
    expect([fills, maker_share]).toEqual([4, 0.75]);
    expect(markouts[0]).toEqual({ minutes: 1, fills: 2, bps: expect.closeTo(100, 9) });
  });

  it('have value-weighted markouts from snapshots and candles, positive if the price favours the fill', async () => {
    await fill('1', 0);
    await fill('2', 0, { side: 'sell', amount: '3' });
    await fill('3', 300);
    await market(1.25, '99');
    await market(1.1, '50', true);
    await candle('5m', 0, '101');
    await market(7, '50');
    await candle('1h', 0, '110');
    const { markouts } = await performance();
    expect(markouts).toEqual([
      { minutes: 1, fills: 2, bps: expect.closeTo(50, 9) },
      { minutes: 5, fills: 2, bps: expect.closeTo(-50, 9) },
      { minutes: 60, fills: 2, bps: expect.closeTo(-500, 9) },
    ]);
  });

  it('have no markout when no known price is close enough in time', async () => {
    await fill('1', 0);
    await market(1.75, '99');
    await candle('1h', -60, '90');
    const bps = (await performance()).markouts.map((one: { bps: number | null }) => one.bps);
    expect(bps).toEqual([null, null, null]);
  });

  it('count once per grid; the initial purchase of a simulated grid counts as a taker fill', async () => {
    await service.http
      .post('/grids/create')
      .send({
        ...{ name: 'g', symbol: 'ETH/USDT', total_quote: 1000, grid_count: 6 },
        ...{ lower_price: 2_000, upper_price: 6_000 },
      })
      .expect(201);
    clock.forward(60_000);
    await service.http.post('/metrics/collect').send({}).expect(200);
    const [start] = await service.rows('SELECT is_maker FROM trade');
    expect(start).toEqual({ is_maker: false });
    const { fills, maker_share: share } = await performance();
    expect([fills, share]).toEqual([1, 0]);
  });
});

describe('GET /performance', () => {
  const clock = clockAt('2026-03-02T23:00:00.000Z');
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
  });
  afterAll(() => service.close());

  const performance = async (query = '') => service.http.get(`/performance${query}`);

  it('returns null for the start and both returns before the first balance', async () => {
    const { body } = await performance();
    expect(body).toMatchObject({ days: 0, start: null, total_return: null, hold_return: null });
  });

  it('returns a total return equal to the hold return if there were no trades', async () => {
    for (let day = 0; day < 4; day++) {
      await service.http.post('/metrics/collect').send({}).expect(200);
      clock.forward(86_400_000);
    }
    clock.set('2026-03-05T23:00:00.000Z');
    const { status, body } = await performance('?days=30');
    expect(status).toBe(200);
    expect(body).toMatchObject({ exchange: 'simulated', simulated: true, unknown_days: 0 });
    expect(body.days).toBe(3);
    expect(body.total_return).not.toBe(0);
    expect(body.total_return).toBeCloseTo(body.hold_return, 9);
    expect(body.volatility).toBeGreaterThan(0);
  });

  it.each(['?days=0', '?days=x', '?other=1'])('rejects %s with 422', async (query) => {
    expect((await performance(query)).status).toBe(422);
  });
});
