import { clockAt, type Harness, startHarness } from '../../test/harness';
import { rollUp } from '../history/roll-up';
import { drawdownOf } from './drawdown';

describe('GET /risk', () => {
  const clock = clockAt('2026-03-02T00:00:30.000Z');
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
  });
  afterAll(() => service.close());

  const risk = async (query = '') => (await service.http.get(`/risk${query}`).expect(200)).body;
  const collect = () => service.http.post('/metrics/collect').send({}).expect(200);

  it('returns 404 before the first balance', async () => {
    expect((await service.http.get('/risk')).status).toBe(404);
    expect((await service.http.get('/risk?days=0')).status).toBe(422);
    expect((await service.http.get('/risk?day=1')).status).toBe(422);
  });

  it('returns the share of equity in coins, in total and by asset', async () => {
    await collect();
    const { equity, exposure, assets, grids } = await risk();
    const values = assets.map(({ value }: { value: string }) => Number(value));
    const sum = values.reduce((total: number, value: number) => total + value, 0);
    expect(assets.map(({ asset }: { asset: string }) => asset)).toEqual(['BTC', 'ETH', 'SOL']);
    expect(exposure).toBeCloseTo(sum / Number(equity), 12);
    expect(assets[0].share).toBeCloseTo(values[0] / Number(equity), 12);
    expect(grids).toEqual([]);
  });

  it('returns the skew of a grid from -1 (only buy orders) to 1 (only coins)', async () => {
    const price = Number((await risk()).assets[1].value) / 6;
    for (const [name, lower, upper] of [
      ['above', 0.5, 0.9],
      ['around', 0.9, 1.1],
      ['below', 1.1, 1.5],
    ] as const) {
      await service.http
        .post('/grids/create')
        .send({
          ...{ name, symbol: 'ETH/USDT', grid_count: 6, order_amount: 1 },
          lower_price: (price * lower).toFixed(2),
          upper_price: (price * upper).toFixed(2),
        })
        .expect(201);
    }
    clock.forward(60_000);
    await collect();
    const { grids } = await risk();
    expect(
      grids.map(({ name, skew }: { name: string; skew: number }) => [name, Math.round(skew)]),
    ).toEqual([
      ['above', -1],
      ['around', 0],
      ['below', 1],
    ]);
  });

  it('before and after the roll-up, returns the same drawdown from the peak', async () => {
    const set = (iso: string, equity: number) =>
      service.rows(
        `UPDATE balance_snapshot SET total_equity = ${equity} WHERE asset IS NULL AND captured_at = (
           SELECT started_at FROM collection WHERE started_at >= '${iso}' ORDER BY started_at LIMIT 1)`,
      );
    const from = clock.now().getTime() + 3_600_000;
    const equities = [
      ...[
        [0, 1000],
        [1, 1200],
        [1.1, 600],
        [1.2, 1200],
      ],
      ...[
        [2, 900],
        [3, 1100],
      ],
    ] as const;
    for (const [hour, equity] of equities) {
      clock.set(new Date(from + hour * 3_600_000).toISOString());
      await collect();
      await set(clock.now().toISOString(), equity);
    }
    await service.rows(
      `UPDATE balance_snapshot SET total_equity = 1000 WHERE asset IS NULL AND captured_at < to_timestamp(${from / 1000})`,
    );
    const expected = {
      days: 30,
      peak: '1200',
      current: expect.closeTo(1 - 1100 / 1200, 12),
      worst: expect.closeTo(0.5, 12),
    };
    expect((await risk()).drawdown).toMatchObject(expected);
    clock.forward(20 * 60_000);
    await rollUp(service.context);
    expect((await risk()).drawdown).toMatchObject(expected);
    clock.forward(26 * 86_400_000);
    expect((await risk('?days=1')).drawdown).toMatchObject({
      peak: null,
      current: null,
      worst: null,
    });
  });
});

const HOUR = 3_600_000;
const at = (hour: number) => new Date(Date.UTC(2026, 2, 1) + hour * HOUR);
const points = (...equities: string[]) =>
  equities.map((equity, hour) => ({ at: at(hour), equity }));
const flow = (hour: number, type: 'deposit' | 'withdrawal', value: string) => ({
  shown_at: at(hour),
  type,
  value,
});
const told = (...parameters: Parameters<typeof drawdownOf>) => {
  const { peak, current, worst, worstAt } = drawdownOf(...parameters);
  return [peak?.toFixed(), current?.toNumber(), worst?.toNumber(), worstAt?.getUTCHours()];
};

describe('drawdownOf', () => {
  it('returns the fall below the highest equity if there are no flows', () => {
    expect(told(points('1000', '1200', '900', '1100'), [])).toEqual([
      ...['1200', expect.closeTo(1 / 12, 15)],
      ...[0.25, 2],
    ]);
  });

  it('does not count a withdrawal as a loss, or a deposit as a gain', () => {
    expect(told(points('1000', '400'), [flow(1, 'withdrawal', '600')])).toEqual(['400', 0, 0, 0]);
    const lost = told(points('1000', '800', '1800'), [flow(2, 'deposit', '1000')]);
    expect(lost).toEqual(['2250', 0.2, 0.2, 1]);
  });

  it('counts a loss between two points with flows', () => {
    const both = [flow(1, 'withdrawal', '500'), flow(1, 'deposit', '1000')];
    expect(told(points('1000', '1300'), both)).toMatchObject([expect.anything(), 0.1, 0.1, 1]);
  });

  it('stays correct after everything was withdrawn', () => {
    const moved = [flow(1, 'withdrawal', '1000'), flow(3, 'deposit', '500')];
    expect(told(points('1000', '0', '0', '500', '450'), moved)).toEqual(['500', 0.1, 0.1, 4]);
  });

  it('returns 1 for a total loss, and no values without points', () => {
    expect(told(points('1000', '0'), [])).toEqual([undefined, 1, 1, 1]);
    expect(told([], [])).toEqual([undefined, undefined, undefined, undefined]);
  });
});
