import { type Bar, efficiencyRatio, measure } from './indicators';

const SERIES: Bar[] = Array.from({ length: 1200 }, (_, i) => {
  const close = 100 + 10 * Math.sin(i / 7) + 0.15 * i + 2 * Math.sin(i / 2.3);
  return {
    close,
    high: close + 1 + 0.5 * Math.abs(Math.sin(i / 3)),
    low: close - 1 - 0.5 * Math.abs(Math.cos(i / 5)),
  };
});
const at = (bar: number) => measure(SERIES.slice(0, bar + 1));
const off = (value: number, reference: number) => Math.abs(value - reference) / reference;

/** Bar, ADX, +DI, ATR, NATR and EMA50, computed by TA-Lib. */
const TA_LIB: [number, number, number, number, number, number][] = [
  [250, 41.6932615, 8.8371902, 2.7395259, 2.10329632, 134.12149666],
  [499, 50.68093803, 28.00993007, 2.74222024, 1.50067099, 173.52328365],
  [1199, 55.20308359, 29.53643295, 2.82599715, 0.97640475, 277.07438389],
];

const CHOP: [number, number][] = [
  [100, 36.82992839622377],
  [250, 34.083484363106905],
  [500, 39.11660458444966],
  [1000, 35.80159835584787],
  [1199, 33.67828050077823],
];

const WIDTH: [number, number][] = [
  [50, 0.28180938],
  [250, 0.17380569],
  [1199, 0.10709241],
];

describe('indicators', () => {
  it.each(TA_LIB)('match TA-Lib at bar %i', (bar, adx, plusDi, atr, natr, ema) => {
    const values = at(bar);
    const tolerance = bar === 250 ? 1e-5 : 1e-8;
    expect(off(values.adx, adx)).toBeLessThan(tolerance);
    expect(off(values.plus_di, plusDi)).toBeLessThan(tolerance);
    expect(off(values.atr, atr)).toBeLessThan(tolerance);
    expect(off(values.natr, natr)).toBeLessThan(tolerance);
    expect(off(values.ema_50, ema)).toBeLessThan(tolerance);
  });

  it.each(CHOP)('match the expected choppiness at bar %i to 12 decimals', (bar, chop) => {
    expect(Math.abs(at(bar).chop - chop)).toBeLessThan(1e-12);
  });

  it.each(WIDTH)('match the expected Bollinger width at bar %i to 6 decimals', (bar, width) => {
    expect(off(at(bar).bollinger_width, width)).toBeLessThan(1e-6);
  });

  it('return an efficiency of 1 for a straight path and 0 for a round trip', () => {
    expect(efficiencyRatio([1, 2, 3, 4, 5], 4)).toBe(1);
    expect(efficiencyRatio([1, 2, 1, 2, 1], 4)).toBe(0);
    expect(efficiencyRatio([9, 9, 1, 2, 4, 3], 3)).toBeCloseTo(2 / 4);
    expect(efficiencyRatio([7, 7, 7], 2)).toBe(0);
  });
});

const HIGHS =
  '57.76 57.48 57.87 57.96 57.98 57.94 58.35 58.55 58.73 58.36 58.00 57.73 57.83 57.97 57.98 57.31 58.42 58.61 58.31 58.25 58.89 58.90 58.60 58.24';
const LOWS =
  '57.54 57.27 57.53 57.44 57.52 57.33 58.06 58.05 58.42 58.08 57.76 57.60 57.58 57.70 57.09 57.03 57.48 58.12 58.13 57.94 58.12 58.56 58.01 57.80';
const CLOSES =
  '57.67 57.39 57.77 57.85 57.70 57.90 58.25 58.51 58.57 58.33 57.87 57.68 57.60 57.93 57.14 57.20 58.34 58.35 58.26 58.21 58.79 58.73 58.05 57.88';

it('the choppiness index matches the values printed in Futures, October 1993', () => {
  const [highs, lows, closes] = [HIGHS, LOWS, CLOSES].map((row) => row.split(' ').map(Number)) as [
    number[],
    number[],
    number[],
  ];
  const bars = closes.map((close, i) => ({
    close,
    high: highs[i] as number,
    low: lows[i] as number,
  }));
  const printed = [52.59, 50.53, 54.64, 54.48, 53.19, 51.57, 49.95, 48.86, 51.08, 50.82];
  const got = printed.map((_, i) => Number(measure(bars.slice(0, 15 + i)).chop.toFixed(2)));
  expect(got).toEqual(printed);
});
