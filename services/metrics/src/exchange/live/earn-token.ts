import type { Exchange as CcxtExchange } from 'ccxt';

/**
 * The asset that an asset of Binance stands for: what lies in flexible Simple Earn is shown as `LD` before its name, and is
 * redeemed one to one. A name that some market has is no such token, so that LDO stays LDO.
 */
export function earnedAsset(
  { id, markets }: Pick<CcxtExchange, 'id' | 'markets'>,
  asset: string,
): string | undefined {
  if (id !== 'binance' || !asset.startsWith('LD')) return undefined;
  const traded = new Set(Object.values(markets ?? {}).flatMap(({ base, quote }) => [base, quote]));
  const earned = asset.slice('LD'.length);
  return !traded.has(asset) && traded.has(earned) ? earned : undefined;
}
