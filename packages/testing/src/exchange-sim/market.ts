export type Timeframe = keyof typeof TIMEFRAME_MS;

export const TIMEFRAME_MS = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

interface Listing {
  symbol: string;
  base: string;
  quote: string;
  price: number;
  tick: string;
  amountStep: string;
}

const listing = (base: string, price: number, tick: string, amountStep: string): Listing => ({
  symbol: `${base}/USDT`,
  base,
  quote: 'USDT',
  price,
  tick,
  amountStep,
});

const LISTINGS = [
  listing('BTC', 64_000, '0.01', '0.00001'),
  listing('ETH', 3_200, '0.01', '0.0001'),
  listing('SOL', 150, '0.01', '0.001'),
  listing('BNB', 580, '0.01', '0.001'),
  listing('XRP', 0.62, '0.0001', '0.1'),
  listing('ADA', 0.45, '0.0001', '0.1'),
  listing('DOGE', 0.14, '0.00001', '1'),
  listing('AVAX', 32, '0.01', '0.01'),
  listing('LINK', 15, '0.001', '0.01'),
  listing('LTC', 82, '0.01', '0.001'),
];

export type SimMarket = ReturnType<typeof createMarket>;

export function createMarkets(seed: number, count = LISTINGS.length): SimMarket[] {
  const more = Array.from({ length: Math.max(count - LISTINGS.length, 0) }, (_, index) =>
    listing(`COIN${index + 1}`, 1 + index, '0.0001', '0.1'),
  );
  return [...LISTINGS, ...more].map((one, index) => createMarket(one, seed + 7 * index));
}

const DAY = TIMEFRAME_MS['1d'];
const MIN_COST = '5';
const WAVES = [
  [0.05, 400],
  [0.02, 31],
  [0.004, 5],
  [0.001, 0.3],
] as const;
const SAMPLES = 6;

function createMarket(listed: Listing, seed: number) {
  const places = listed.tick.length - 2;
  const text = (price: number) => price.toFixed(places);
  const priceAt = (time: number) => {
    const hours = time / TIMEFRAME_MS['1h'] + seed * 97;
    const moved = WAVES.map(([share, period]) => share * Math.sin((2 * Math.PI * hours) / period));
    return listed.price * (1 + moved.reduce((sum, one) => sum + one));
  };
  const volumeIn = (span: number) => (5e5 * span) / TIMEFRAME_MS['1h'] / listed.price;

  const candle = (openTime: number, span: number, now: number) => {
    const end = Math.min(openTime + span, now);
    const prices = Array.from({ length: SAMPLES + 1 }, (_, index) =>
      priceAt(openTime + ((end - openTime) * index) / SAMPLES),
    );
    return {
      openTime,
      open: text(prices[0] as number),
      high: text(Math.max(...prices)),
      low: text(Math.min(...prices)),
      close: text(prices[SAMPLES] as number),
      volume: volumeIn(span).toFixed(8),
    };
  };

  return {
    ...listed,
    minCost: MIN_COST,
    candles: (timeframe: Timeframe, limit: number, now: number) => {
      const span = TIMEFRAME_MS[timeframe];
      const last = Math.floor(now / span) * span;
      return Array.from({ length: limit }, (_, index) =>
        candle(last - (limit - 1 - index) * span, span, now),
      );
    },
    candlesFrom: (timeframe: Timeframe, since: number, limit: number, now: number) => {
      const span = TIMEFRAME_MS[timeframe];
      const first = Math.ceil(since / span) * span;
      const count = Math.min(limit, Math.max(0, Math.floor((now - first) / span) + 1));
      return Array.from({ length: count }, (_, index) => candle(first + index * span, span, now));
    },
    ticker: (now: number) => {
      const last = priceAt(now);
      const day = Array.from({ length: 25 }, (_, hour) => priceAt(now - (DAY * hour) / 24));
      const half = Math.max(last / 10_000, Number(listed.tick));
      return {
        symbol: listed.symbol,
        last: text(last),
        bid: text(last - half),
        ask: text(last + half),
        open: text(priceAt(now - DAY)),
        high: text(Math.max(...day)),
        low: text(Math.min(...day)),
        baseVolume: volumeIn(DAY).toFixed(8),
        quoteVolume: (volumeIn(DAY) * last).toFixed(8),
      };
    },
  };
}
