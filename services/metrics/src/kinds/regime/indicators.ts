type Library = typeof import('trading-signals', { with: { 'resolution-mode': 'import' }});

// Node.js can `require` this ES module; only its types need the import attribute.
const { ADX, ATR, BollingerBands, BollingerBandsWidth, CHOP, EMA } =
  require('trading-signals') as Library;

export interface Bar {
  high: number;
  low: number;
  close: number;
}

const PERIOD = 14;
const RANK_BARS = 200;
const SLOPE_BARS = 10;
const EFFICIENCY_BARS = 20;

export function efficiencyRatio(closes: readonly number[], bars: number): number {
  const last = closes.slice(-bars - 1);
  let walked = 0;
  for (let index = 1; index < last.length; index++) {
    walked += Math.abs((last[index] as number) - (last[index - 1] as number));
  }
  const made = Math.abs((last.at(-1) as number) - (last[0] as number));
  return walked === 0 ? 0 : made / walked;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

export function measure(bars: readonly Bar[]) {
  const adx = new ADX(PERIOD);
  const atr = new ATR(PERIOD);
  const chop = new CHOP(PERIOD);
  const ema = new EMA(50);
  const width = new BollingerBandsWidth(new BollingerBands(20, 2));
  const emas: number[] = [];
  const natrs: number[] = [];
  for (const bar of bars) {
    adx.add(bar);
    emas.push(Number(ema.add(bar.close)));
    const range = atr.add(bar);
    if (range !== null) natrs.push((100 * range) / bar.close);
  }
  for (const bar of bars.slice(-chop.getRequiredInputs())) chop.add(bar);
  for (const bar of bars.slice(-width.getRequiredInputs())) width.add(bar.close);
  const range = Number(atr.getResult());
  const natr = natrs.at(-1) ?? Number.NaN;
  const recent = natrs.slice(-RANK_BARS);
  const climb = (emas.at(-1) as number) - (emas.at(-1 - SLOPE_BARS) as number);
  return {
    adx: Number(adx.getResult()),
    plus_di: 100 * Number(adx.pdi),
    minus_di: 100 * Number(adx.mdi),
    chop: Number(chop.getResult()),
    efficiency_ratio: efficiencyRatio(
      bars.map((bar) => bar.close),
      EFFICIENCY_BARS,
    ),
    ema_50: emas.at(-1) as number,
    ema_slope: climb / SLOPE_BARS / range,
    atr: range,
    natr,
    atr_rank: recent.filter((value) => value <= natr).length / recent.length,
    atr_ratio: natr / median(recent),
    bollinger_width: Number(width.getResult()),
  };
}

/**
 * Returns the percentage that a price moves back and forth per day: half of the path length that
 * exceeds the net move. A grid with levels one percent apart makes about this many trips per day.
 */
export function swingPerDay(closes: readonly number[], barMs: number): number {
  let walked = 0;
  for (let index = 1; index < closes.length; index++) {
    const [last, next] = [closes[index - 1] as number, closes[index] as number];
    walked += Math.abs(Math.log(next / last));
  }
  const made = Math.abs(Math.log((closes.at(-1) as number) / (closes[0] as number)));
  const days = ((closes.length - 1) * barMs) / 86_400_000;
  return (100 * (walked - made)) / 2 / days;
}

export type Indicators = ReturnType<typeof measure> & { swing_per_day: number };
