import { type Decimal, isStorable, readDecimal } from '../decimal';
import { asFailure, type ExchangeFailure, malformed } from './failure';
import type { AssetBalance, Balance } from './port';
import { readName } from './read-name';

const TOLERANCE = '1e-8';
const SHOWN = 40;

export interface Holding {
  asset: string;
  valuedAs: string;
  free: Decimal;
  used: Decimal;
  total: Decimal;
}

/**
 * Returns non-zero holdings, and failures for assets with inconsistent amounts. An empty response
 * needs proof, because `{}` would make equity drop to zero.
 * @throws ExchangeFailure `malformed`
 */
export function readBalance(balance: Balance) {
  const holdings: Holding[] = [];
  const failures: ExchangeFailure[] = [];
  for (const [asset, amounts] of Object.entries(balance.assets)) {
    try {
      holdings.push(readHolding(asset, amounts));
    } catch (error) {
      failures.push(asFailure(error, asset));
    }
  }
  if (holdings.length === 0 && failures.length === 0 && !balance.provenEmpty) {
    throw malformed(
      'balance',
      'the response contains no balance, but does not prove that the account is empty',
    );
  }
  return { holdings: holdings.filter(({ total }) => !total.isZero()), failures };
}

function readHolding(asset: string, { free, used, total, valuedAs }: AssetBalance): Holding {
  const given = { free: readDecimal(free), used: readDecimal(used), total: readDecimal(total) };
  if (readName(asset) === null)
    throw malformed(asset.slice(0, SHOWN), 'the name of the asset cannot be stored');
  const known = Object.values(given).filter((value) => value !== null).length;
  if (known < 2) throw malformed(asset, 'at least two of free, used and total must be present');
  const all = {
    asset,
    valuedAs: valuedAs ?? asset,
    free: given.free ?? (given.total as Decimal).minus(given.used as Decimal),
    used: given.used ?? (given.total as Decimal).minus(given.free as Decimal),
    total: given.total ?? (given.free as Decimal).plus(given.used as Decimal),
  };
  const gap = all.total.minus(all.free).minus(all.used).abs();
  if (gap.gt(all.total.abs().times(TOLERANCE).plus(TOLERANCE))) {
    throw malformed(asset, 'free and used do not add up to total');
  }
  const tooLarge = (['free', 'used', 'total'] as const).find((field) => !isStorable(all[field]));
  if (tooLarge) throw malformed(asset, `${tooLarge} exceeds the largest value that can be stored`);
  return all;
}
