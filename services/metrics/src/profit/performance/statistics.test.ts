import { randomFrom } from '@switchyard/testing';
import { type DayOfEquity, statisticsOf } from './statistics';

function pathOf(seed: number) {
  const random = randomFrom(seed);
  const days: DayOfEquity[] = [];
  const returns: number[] = [];
  let equity = 1_000 + 9_000 * random();
  for (let day = 0; day < 60 + 200 * random(); day++) {
    const rate = (random() + random() + random() - 1.49) * 0.06;
    const isFlow = random() < 0.2;
    const flow = isFlow ? (random() - 0.45) * equity * 0.5 : 0;
    const end = flow > 0 ? (equity + flow) * (1 + rate) : equity * (1 + rate) + flow;
    days.push({ start: equity, end, flow });
    returns.push(rate);
    equity = end;
  }
  return { days, returns };
}

function byDefinition({ days, returns }: ReturnType<typeof pathOf>) {
  const n = returns.length;
  const squares = returns.reduce((all, one) => all + one * one, 0);
  const total = returns.reduce((all, one) => all + one, 0);
  const variance = (squares - (total * total) / n) / (n - 1);
  const downside = returns.filter((one) => one < 0).reduce((all, one) => all + one * one, 0) / n;
  const curve = [0];
  for (const one of returns) curve.push((curve.at(-1) as number) + Math.log1p(one));
  const falls = curve.flatMap((at, i) =>
    curve.slice(0, i + 1).map((top) => 1 - Math.exp(at - top)),
  );
  const worst = Math.max(...falls);
  const waits = curve.map((_, i) => {
    const tops = curve.slice(0, i + 1);
    return i - tops.lastIndexOf(Math.max(...tops));
  });
  const gains = days.map(({ start, end, flow }) => end - start - flow);
  const positive = gains.filter((one) => one > 0);
  const negative = gains.filter((one) => one < 0);
  const add = (all: number[]) => all.reduce((one, other) => one + other, 0);
  const annual = Math.expm1(((curve.at(-1) as number) * 365) / n);
  return {
    days: n,
    total_return: Math.expm1(curve.at(-1) as number),
    annual_return: annual,
    volatility: Math.sqrt(variance * 365),
    sharpe: ((total / n) * 365) / Math.sqrt(variance * 365),
    sortino: ((total / n) * 365) / Math.sqrt(downside * 365),
    calmar: annual / worst,
    worst_drawdown: worst,
    longest_drawdown_days: Math.max(...waits),
    profit_factor: add(positive) / Math.abs(add(negative)),
    winning_days: positive.length / n,
  };
}

it('statisticsOf matches the definitions to within 1e-9, for 50 random paths with flows', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const path = pathOf(seed);
    const found = statisticsOf(path.days) as unknown as Record<string, number>;
    for (const [name, expected] of Object.entries(byDefinition(path))) {
      const error = Math.abs((found[name] as number) - expected) / Math.max(1, Math.abs(expected));
      expect([seed, name, error < 1e-9]).toEqual([seed, name, true]);
    }
  }
});

describe('statisticsOf', () => {
  it('returns null for a period without days', () => {
    expect(statisticsOf([])).toMatchObject({ days: 0, total_return: null, sharpe: null });
  });

  it('excludes deposits and withdrawals from the result', () => {
    const days = [
      { start: 100, end: 150, flow: 50 },
      { start: 150, end: 60, flow: -90 },
    ];
    expect(statisticsOf(days)).toMatchObject({
      ...{ total_return: 0, worst_drawdown: 0, volatility: 0, winning_days: 0 },
      ...{ sharpe: null, sortino: null, calmar: null, profit_factor: null },
    });
  });

  it('returns -1 for a total loss', () => {
    expect(statisticsOf([{ start: 100, end: 0, flow: 0 }])).toMatchObject({
      ...{ total_return: -1, annual_return: -1, worst_drawdown: 1 },
    });
  });
});
