import type { Candle } from '../src/exchange/port';

const { cos, exp, imul, log: ln, max, min, PI, sqrt } = Math;

function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function normalNumbers(random: () => number): () => number {
  return () => sqrt(-2 * ln(random() || 1e-12)) * cos(2 * PI * random());
}

export interface PathTruth {
  theta?: number;
  drift?: number;
  burst?: { bars: number; factor: number };
}

const STEPS = 16;
export const HOUR = 3_600_000;

export function syntheticCandles(seed: number, bars: number, truth: PathTruth): Candle[] {
  const normal = normalNumbers(randomNumbers(seed));
  const { theta = 0, drift = 0, burst } = truth;
  const sd = 0.01;
  let log = 0;
  return Array.from({ length: bars }, (_, bar) => {
    const factor = burst && bar >= bars - burst.bars ? burst.factor : 1;
    const logs = [log];
    for (let step = 0; step < STEPS; step++) {
      log += (-theta * log) / STEPS + (drift * sd) / STEPS;
      log += (normal() * sd * factor) / sqrt(STEPS);
      logs.push(log);
    }
    const price = (value: number) => (100 * exp(value)).toFixed(8);
    return {
      openTime: bar * HOUR,
      open: price(logs[0] as number),
      high: price(max(...logs)),
      low: price(min(...logs)),
      close: price(log),
      volume: '1',
    };
  });
}
