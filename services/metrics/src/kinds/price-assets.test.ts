import { decimal } from '../decimal';
import { type Mid, priceOf } from './price-assets';

const mid = (price: string, stale = false): Mid => ({ price: decimal(price), stale });
const priced = (asset: string, quote: string, mids: Record<string, Mid>) => {
  const known = priceOf(asset, quote, new Map(Object.entries(mids)), ['USDT', 'BTC']);
  return known && { ...known, price: known.price.toFixed() };
};

describe('the price of an asset', () => {
  it('comes from the asset’s market, its inverse market, or two markets with a bridge asset', () => {
    expect(priced('ETH', 'USDT', { 'ETH/USDT': mid('3000') })).toMatchObject({
      price: '3000',
      source: 'direct',
    });
    expect(priced('USDT', 'BTC', { 'BTC/USDT': mid('50000') })).toMatchObject({
      price: '0.00002',
      source: 'inverse',
    });
    expect(priced('ETH', 'EUR', { 'ETH/BTC': mid('0.05'), 'BTC/EUR': mid('40000') })).toMatchObject(
      { price: '2000', source: 'bridge:BTC' },
    );
    expect(priced('ETH', 'EUR', { 'ETH/BTC': mid('0.05') })).toBeNull();
  });

  it('becomes stale if any of its quotes is stale', () => {
    const old = (asset: string, quote: string, mids: Record<string, Mid>) =>
      priced(asset, quote, mids)?.stale;
    expect(old('ETH', 'USDT', { 'ETH/USDT': mid('3000', true) })).toBe(true);
    expect(old('USDT', 'BTC', { 'BTC/USDT': mid('50000', true) })).toBe(true);
    for (const [first, second] of [
      [true, false],
      [false, true],
      [false, false],
    ] as const) {
      const mids = { 'ETH/BTC': mid('0.05', first), 'BTC/EUR': mid('40000', second) };
      expect(old('ETH', 'EUR', mids)).toBe(first || second);
    }
    expect(old('USDT', 'USDT', {})).toBe(false);
  });
});
