import { readTicker } from './read-ticker';

const ticker = (price: string) => ({
  ...{ symbol: 'LUNC/USDT', time: null, last: price, bid: price, ask: price },
  ...{ open: null, high: null, low: null, baseVolume: null, quoteVolume: null },
});

it('readTicker accepts the smallest storable price', () => {
  expect(readTicker(ticker('1e-18'), 0).mid).toBe('0.000000000000000001');
});

it('readTicker rejects a price that would be stored as 0', () => {
  expect(() => readTicker(ticker('1e-22'), 0)).toThrow(
    /missing, or 0 when rounded to 18 decimal places/,
  );
});
