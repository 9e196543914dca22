const DAYS_OF_YEAR = 365;

export interface DayOfEquity {
  start: number;
  end: number;
  flow: number;
}

export interface Statistics {
  days: number;
  total_return: number | null;
  annual_return: number | null;
  volatility: number | null;
  sharpe: number | null;
  sortino: number | null;
  calmar: number | null;
  worst_drawdown: number | null;
  longest_drawdown_days: number | null;
  profit_factor: number | null;
  winning_days: number | null;
}

export function returnOf({ start, end, flow }: DayOfEquity): number | null {
  const base = start + Math.max(flow, 0);
  return base > 0 ? (end - Math.min(flow, 0)) / base - 1 : null;
}

export function statisticsOf(days: readonly DayOfEquity[]): Statistics {
  const returns = days.map(returnOf).filter((one) => one !== null);
  const count = returns.length;
  if (count === 0) return { ...NONE };
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

const NONE: Statistics = {
  days: 0,
  ...{ total_return: null, annual_return: null, volatility: null, sharpe: null, sortino: null },
  ...{ calmar: null, worst_drawdown: null, longest_drawdown_days: null },
  ...{ profit_factor: null, winning_days: null },
};

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);
