const DAYS_OF_YEAR = 365;

export interface DayOfEquity {
  start: number;
  end: number;
  flow: number;
}

const FIGURES = [
  ...(['total_return', 'annual_return', 'volatility', 'sharpe', 'sortino', 'calmar'] as const),
  ...(['worst_drawdown', 'longest_drawdown_days', 'profit_factor', 'winning_days'] as const),
];

type Figures<Value> = Record<(typeof FIGURES)[number], Value>;

export const figuresOf = <Value>(value: Value): Figures<Value> =>
  Object.fromEntries(FIGURES.map((name) => [name, value])) as Figures<Value>;

export function returnOf({ start, end, flow }: DayOfEquity): number | null {
  const base = start + Math.max(flow, 0);
  return base > 0 ? (end - Math.min(flow, 0)) / base - 1 : null;
}

export function statisticsOf(
  days: readonly DayOfEquity[],
): Figures<number | null> & { days: number } {
  const returns = days.map(returnOf).filter((one) => one !== null);
  const count = returns.length;
  if (count === 0) return { days: 0, ...figuresOf(null) };
  const mean = sum(returns) / count;
  const spread =
    count > 1 ? Math.sqrt(sum(returns.map((one) => (one - mean) ** 2)) / (count - 1)) : 0;
  const losses = Math.sqrt(sum(returns.map((one) => Math.min(one, 0) ** 2)) / count);
  const grown = returns.reduce((index, one) => index * (1 + one), 1);
  const annual = grown > 0 ? grown ** (DAYS_OF_YEAR / count) - 1 : -1;
  const { worst, longest } = drawdownsOf(returns);
  const earned = days.map(({ start, end, flow }) => end - start - flow);
  const { won, lost } = sumsOf(earned);
  const yearly = Math.sqrt(DAYS_OF_YEAR);
  return {
    days: count,
    total_return: grown - 1,
    annual_return: annual,
    volatility: count > 1 ? spread * yearly : null,
    sharpe: spread > 0 ? (mean / spread) * yearly : null,
    sortino: losses > 0 ? (mean / losses) * yearly : null,
    calmar: worst > 0 ? annual / worst : null,
    worst_drawdown: worst,
    longest_drawdown_days: longest,
    profit_factor: lost > 0 ? won / lost : null,
    winning_days: earned.filter((one) => one > 0).length / earned.length,
  };
}

export const sumsOf = (results: readonly number[]) => ({
  won: sum(results.filter((one) => one > 0)),
  lost: -sum(results.filter((one) => one < 0)),
});

function drawdownsOf(returns: readonly number[]) {
  let index = 1;
  let peak = 1;
  let below = 0;
  let worst = 0;
  let longest = 0;
  for (const one of returns) {
    index *= 1 + one;
    below = index < peak ? below + 1 : 0;
    peak = Math.max(peak, index);
    worst = Math.max(worst, 1 - index / peak);
    longest = Math.max(longest, below);
  }
  return { worst, longest };
}

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
