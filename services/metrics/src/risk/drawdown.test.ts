import { drawdownOf } from './drawdown';

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

  it('counts neither a withdrawal as a loss nor a deposit as a gain', () => {
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
