import { hash, smooth } from './noise';

const HOUR = 3_600_000;

export const SIMULATED_MARKETS: Record<string, { price: number; tick: string; step: string }> = {
  'BTC/USDT': { price: 64_000, tick: '0.01', step: '0.00001' },
  'ETH/USDT': { price: 3_200, tick: '0.01', step: '0.0001' },
  'SOL/USDT': { price: 150, tick: '0.01', step: '0.001' },
  'BNB/USDT': { price: 580, tick: '0.01', step: '0.001' },
  'XRP/USDT': { price: 0.62, tick: '0.0001', step: '0.1' },
  'ADA/USDT': { price: 0.45, tick: '0.0001', step: '0.1' },
  'DOGE/USDT': { price: 0.14, tick: '0.00001', step: '1' },
  'AVAX/USDT': { price: 32, tick: '0.01', step: '0.01' },
  'LINK/USDT': { price: 15, tick: '0.001', step: '0.01' },
  'LTC/USDT': { price: 82, tick: '0.01', step: '0.001' },
};

const SCRIPT = [
  { hours: 120, drift: 0, shake: 1 },
  { hours: 72, drift: 0.2, shake: 0.8 },
  { hours: 72, drift: 0, shake: 1 },
  { hours: 72, drift: -0.2, shake: 0.8 },
  { hours: 36, drift: 0, shake: 1 },
  { hours: 18, drift: 0, shake: 4 },
  { hours: 66, drift: 0, shake: 1 },
];
const CYCLE = SCRIPT.reduce((sum, part) => sum + part.hours, 0);

const SHAKES = [
  [0.004, 6],
  [0.003, 2],
  [0.0015, 0.5],
  [0.0006, 0.1],
] as const;

export type PricePath = (time: number) => number;

export function createPricePath(seed: number, symbol: string): PricePath {
  const market = SIMULATED_MARKETS[symbol];
  if (!market) throw new Error(`the simulated exchange has no market ${symbol}`);
  const own = hash(symbol, seed);
  const offset = own % CYCLE;
  return (time) => {
    const hours = time / HOUR;
    const { drift, shake } = scripted(hours + offset);
    let log = drift + 0.05 * smooth(own + 1, hours, 720);
    SHAKES.forEach(([amplitude, period], index) => {
      log += amplitude * shake * smooth(own + 2 + index, hours, period);
    });
    return market.price * Math.exp(log);
  };
}

function scripted(hours: number): { drift: number; shake: number } {
  let left = ((hours % CYCLE) + CYCLE) % CYCLE;
  let drift = 0;
  for (const part of SCRIPT) {
    if (left < part.hours) {
      return { drift: drift + (part.drift * left) / part.hours, shake: part.shake };
    }
    left -= part.hours;
    drift += part.drift;
  }
  return { drift, shake: 1 };
}
